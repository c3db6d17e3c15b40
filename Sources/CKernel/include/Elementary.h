// Elementary functions of our own, made of single operations that every processor rounds alike: a run that used
// the C library's would depend on its version, and on which of its variants suits the processor.
#pragma once
#include <stdint.h>
#include <string.h>

/// The natural logarithm of a positive, finite and normal number, within one unit in the last place.
///
/// Made of single operations that every processor rounds alike, so that one number at a time and many at once,
/// of any width, have the same bits. With s = f / (2 + f), the logarithm of 1 + f is twice the series of artanh
/// s, written as f - (f^2/2 - s (f^2/2 + R)) so that its largest part is exact (K. C. Ng in fdlibm, 1993); the
/// series ends where it is below 2^-55 of its sum.
static inline double ck_log(double number) {
#pragma STDC FP_CONTRACT OFF
  // The exponent that leaves a factor between the square roots of 1/2 and 2, as a number by way of the
  // mantissa of 2^52: vector units do not have the other way.
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  const uint64_t biased = (bits + (UINT64_C(0x3FF0000000000000) - UINT64_C(0x3FE6A09E667F3BCD))) >> 52;
  const uint64_t factor_bits = bits - (biased << 52) + (UINT64_C(1023) << 52);
  const uint64_t exponent_bits = biased | UINT64_C(0x4330000000000000);
  double factor, exponent;
  memcpy(&factor, &factor_bits, sizeof factor);
  memcpy(&exponent, &exponent_bits, sizeof exponent);
  exponent -= 0x1p52 + 1023;
  const double f = factor - 1, s = f / (2 + f), z = s * s, half = 0.5 * f * f;
  double series = 2.0 / 21;
  series = series * z + 2.0 / 19;
  series = series * z + 2.0 / 17;
  series = series * z + 2.0 / 15;
  series = series * z + 2.0 / 13;
  series = series * z + 2.0 / 11;
  series = series * z + 2.0 / 9;
  series = series * z + 2.0 / 7;
  series = series * z + 2.0 / 5;
  series = series * z + 2.0 / 3;
  // The logarithm of 2 in two parts, the first of which has so few digits that its product is exact.
  const double upper = 0x1.62e42feep-1, lower = 0x1.a39ef35793c76p-33;
  return exponent * upper - ((half - (s * (half + series * z) + exponent * lower)) - f);
}

/// The logarithm of 1 + `number`, which is above -1 and finite; within two units in the last place.
///
/// The logarithm of the sum as it is rounded, with the share that the rounding took away.
static inline double ck_log1p(double number) {
#pragma STDC FP_CONTRACT OFF
  const double sum = 1 + number;
  return sum == 1 ? number : ck_log(sum) - ((sum - 1) - number) / sum;
}

/// What the series of the exponential function has beyond 1 + `power`, for powers of at most 0.35: it ends where
/// it is below 2^-57. Even and odd terms apart, as neither then waits for the other.
static inline double ck_exp_rest(double power) {
#pragma STDC FP_CONTRACT OFF
  const double z = power * power;
  double even = 1.0 / 87178291200;
  even = even * z + 1.0 / 479001600;
  even = even * z + 1.0 / 3628800;
  even = even * z + 1.0 / 40320;
  even = even * z + 1.0 / 720;
  even = even * z + 1.0 / 24;
  even = even * z + 1.0 / 2;
  double odd = 1.0 / 6227020800;
  odd = odd * z + 1.0 / 39916800;
  odd = odd * z + 1.0 / 362880;
  odd = odd * z + 1.0 / 5040;
  odd = odd * z + 1.0 / 120;
  odd = odd * z + 1.0 / 6;
  return z * (even + power * odd);
}

/// e to a power, within one unit in the last place: 0 below -745.14, infinity above 709.7827.
///
/// With the multiple of log 2 next to the power taken away in two parts, the first of which is exact (W. J. Cody
/// and W. Waite, Software Manual for the Elementary Functions, 1980, chapter 6), the series converges soon.
static inline double ck_exp(double power) {
#pragma STDC FP_CONTRACT OFF
  // Beyond either the answer stays what it is there.
  const double held = power < -746 ? -746 : power > 710 ? 710 : power;
  // Rounded to a whole number where doubles have no fraction left.
  const double whole = 0x1.8p52, placed = held * 0x1.71547652b82fep0 + whole, multiple = placed - whole;
  const double upper = 0x1.62e42feep-1, lower = 0x1.a39ef35793c76p-33;
  const double high = held - multiple * upper, low = multiple * lower;
  const double factor = 1 + (high - (low - ck_exp_rest(high - low)));
  // By a power of two in two steps, as one number cannot hold all of them. Its exponent is read from the bits of
  // the rounded number, plus 4,096 so that it is not below 0.
  uint64_t bits;
  memcpy(&bits, &placed, sizeof bits);
  const uint64_t exponent = bits - (UINT64_C(0x4338) << 48) + 4096, half = exponent >> 1;
  const uint64_t one_bits = (half - 2048 + 1023) << 52, other_bits = (exponent - half - 2048 + 1023) << 52;
  double one, other;
  memcpy(&one, &one_bits, sizeof one);
  memcpy(&other, &other_bits, sizeof other);
  return factor * one * other;
}

/// e to a power, less 1; within three units in the last place.
///
/// Below 0.35 by the series, below 0.7 by that of half the power: (e^h - 1)(e^h - 1 + 2).
static inline double ck_expm1(double power) {
#pragma STDC FP_CONTRACT OFF
  if (!(power > -0.7 && power < 0.7)) return ck_exp(power) - 1;
  const double half = power / 2, small = half + ck_exp_rest(half);
  return power > -0.35 && power < 0.35 ? power + ck_exp_rest(power) : small * (small + 2);
}
