// Logarithms and powers of many numbers at once, compiled for several widths of vector registers, with the same bits in
// each of them.
#include "CKernel.h"
#include "Widths.h"

// A product and a sum are rounded one after the other, as not every width can round both at once.
#pragma STDC FP_CONTRACT OFF

CK_WIDTHS
void ck_logs(double *logs, const double *numbers, size_t count) {
#pragma clang loop vectorize(assume_safety)
  for (size_t lane = 0; lane < count; ++lane) logs[lane] = ck_log(numbers[lane]);
}

CK_WIDTHS
void ck_exps(double *numbers, const double *powers, size_t count) {
#pragma clang loop vectorize(assume_safety)
  for (size_t lane = 0; lane < count; ++lane) numbers[lane] = ck_exp(powers[lane]);
}

CK_WIDTHS
void ck_log_uniforms(double *restrict logs, const uint64_t *restrict bits, size_t count) {
  for (size_t lane = 0; lane < count; ++lane) {
    // The upper 52 bits as a number by way of the mantissa of 2^52.
    const uint64_t mantissa = bits[lane] >> 12 | UINT64_C(0x4330000000000000);
    double uniform;
    memcpy(&uniform, &mantissa, sizeof uniform);
    logs[lane] = ck_log((uniform - 0x1p52 + 0.5) * 0x1p-52);
  }
}
