// The random numbers that both sides of every benchmark draw: SplitMix64, and 52 bits of it as a
// double on the open interval (0, 1).
#pragma once
#include <cstdint>

struct SplitMix64 {
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  double uniform() { return (double(int64_t(next() >> 12)) + 0.5) * 0x1p-52; }
};
