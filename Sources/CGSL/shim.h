#pragma once
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_min.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_qrng.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_roots.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sf.h>
#include <gsl/gsl_statistics.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_linalg.h>

// GSL keeps its algorithms in mutable globals, which Swift refuses to read from several tasks.
static inline const gsl_multimin_fminimizer_type *gsl_simplex_type(void) {
  return gsl_multimin_fminimizer_nmsimplex2;
}

static inline const gsl_root_fsolver_type *gsl_brent_type(void) {
  return gsl_root_fsolver_brent;
}
