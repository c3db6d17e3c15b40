// The functions of numbers of another C library, whose last bits differ: each is the system's, one unit in the
// last place further from 0. What a run decides must not depend on them.
//
//   clang -O1 -fPIC -shared -Wall -Werror -fno-builtin -o libm.so Scripts/other-libm.c
//   LD_PRELOAD=$PWD/libm.so OTHER_LIBM_FILE=loaded pitboss run ...
//
// Creates the file that OTHER_LIBM_FILE names, which says that it was loaded.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void say(void) {
  const char *name = getenv("OTHER_LIBM_FILE");
  FILE *file = name ? fopen(name, "w") : NULL;
  if (file) fclose(file);
}

static double further(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  // Not of 0, infinity and what is no number.
  if (bits << 1 != 0 && (bits >> 52 & 0x7FF) != 0x7FF) ++bits;
  memcpy(&number, &bits, sizeof bits);
  return number;
}

#define ONE(name)                                                      \
  double name(double number) {                                         \
    static double (*system_one)(double);                               \
    if (!system_one) system_one = (double (*)(double))dlsym(RTLD_NEXT, #name); \
    return further(system_one(number));                                \
  }
#define TWO(name)                                                      \
  double name(double one, double other) {                              \
    static double (*system_two)(double, double);                       \
    if (!system_two) system_two = (double (*)(double, double))dlsym(RTLD_NEXT, #name); \
    return further(system_two(one, other));                            \
  }

ONE(log)
ONE(log2)
ONE(log10)
ONE(log1p)
ONE(exp)
ONE(exp2)
ONE(expm1)
ONE(sin)
ONE(cos)
ONE(tan)
ONE(asin)
ONE(acos)
ONE(atan)
ONE(sinh)
ONE(cosh)
ONE(tanh)
ONE(asinh)
ONE(acosh)
ONE(atanh)
ONE(cbrt)
ONE(erf)
ONE(erfc)
ONE(lgamma)
ONE(tgamma)
TWO(atan2)
TWO(hypot)
TWO(pow)
