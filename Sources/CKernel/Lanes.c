// Pure functions over many lanes at once, compiled for several widths of vector registers; the
// loader takes the widest that the processor has. Whole numbers, and single operations on others that
// every width rounds alike, so that all give the same bits.
#include "CKernel.h"
#include "Widths.h"

// No product and sum in one rounding, which some widths have and others not.
#pragma STDC FP_CONTRACT OFF

CK_WIDTHS
void ck_philox_blocks(
    uint32_t *restrict words, size_t count, const uint32_t *restrict counters,
    const uint32_t *restrict entities, uint32_t purpose, uint64_t seed) {
  const uint32_t mirror = 0u - (uint32_t)(seed >> 63);
  const uint64_t key0 = (uint32_t)seed, key1 = (uint32_t)(seed >> 32) & 0x7FFFFFFFu;
  for (size_t lane = 0; lane < count; ++lane) {
    // In lanes of 64 bits, whose upper halves do not matter: a product takes the lower ones.
    uint64_t x0 = counters[lane], x1 = purpose, x2 = entities[lane], x3 = 0;
    uint64_t k0 = key0, k1 = key1;
#pragma clang loop unroll(full)
    for (int round = 0; round < 10; ++round) {
      const uint64_t p0 = (x0 & 0xFFFFFFFFu) * 0xD2511F53u;
      const uint64_t p1 = (x2 & 0xFFFFFFFFu) * 0xCD9E8D57u;
      x0 = p1 >> 32 ^ x1 ^ k0;
      x1 = p1;
      x2 = p0 >> 32 ^ x3 ^ k1;
      x3 = p0;
      k0 = (uint32_t)(k0 + 0x9E3779B9u);
      k1 = (uint32_t)(k1 + 0xBB67AE85u);
    }
    words[lane] = (uint32_t)x0 ^ mirror;
    words[count + lane] = (uint32_t)x1 ^ mirror;
    words[2 * count + lane] = (uint32_t)x2 ^ mirror;
    words[3 * count + lane] = (uint32_t)x3 ^ mirror;
  }
}

/// One number for each of four blocks.
typedef uint64_t ck_lanes4 __attribute__((vector_size(32)));

CK_WIDTHS
void ck_philox_ahead(
    uint64_t *pairs, uint32_t counter, uint32_t purpose, uint64_t entity, uint64_t seed) {
  const ck_lanes4 zero = {0, 0, 0, 0}, low = zero + 0xFFFFFFFFu, one_by_one = {0, 1, 2, 3};
  // As in ck_philox_blocks upper halves do not matter, nor what a key's sum carries into its own.
  ck_lanes4 k0 = zero + (uint32_t)seed, k1 = zero + ((uint32_t)(seed >> 32) & 0x7FFFFFFFu);
  ck_lanes4 x0 = one_by_one + counter, x1 = zero + purpose;
  ck_lanes4 x2 = zero + (uint32_t)entity, x3 = zero + (entity >> 32);
#pragma clang loop unroll(full)
  for (int round = 0; round < 10; ++round) {
    const ck_lanes4 p0 = (x0 & low) * 0xD2511F53u;
    const ck_lanes4 p1 = (x2 & low) * 0xCD9E8D57u;
    x0 = p1 >> 32 ^ x1 ^ k0;
    x1 = p1;
    x2 = p0 >> 32 ^ x3 ^ k1;
    x3 = p0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  const ck_lanes4 mirror = zero - (seed >> 63);
  const ck_lanes4 first = ((x0 & low) | x1 << 32) ^ mirror;
  const ck_lanes4 second = ((x2 & low) | x3 << 32) ^ mirror;
  for (int lane = 0; lane < 4; ++lane) {
    pairs[2 * lane] = first[lane];
    pairs[2 * lane + 1] = second[lane];
  }
}

/// The upper 30 of the lower 64 bits of (half ^ key >> 32) * (key | 1), by two products of 32-bit
/// numbers, which vector units have.
static inline uint64_t ck_feistel_round(uint64_t half, uint64_t key) {
  const uint64_t mixed = (half ^ key >> 32) & 0xFFFFFFFFu;
  const uint64_t low = mixed * ((key | 1) & 0xFFFFFFFFu);
  const uint64_t high = mixed * (key >> 32);
  return (low + (high << 32)) >> 34;
}

#define CK_HALF ((UINT64_C(1) << 30) - 1)

/// Eight rounds that begin by changing `one`; under the reversed keys, with the halves changed over,
/// they undo themselves.
static inline __attribute__((always_inline)) void ck_feistel_rounds(
    uint64_t *one, uint64_t *other, const uint64_t *keys) {
#pragma clang loop unroll(full)
  for (int round = 0; round < 8; round += 2) {
    *one ^= ck_feistel_round(*other, keys[round]);
    *other ^= ck_feistel_round(*one, keys[round + 1]);
  }
}

CK_WIDTHS
void ck_feistel60(uint64_t *restrict numbers, size_t count, const uint64_t *restrict keys) {
  for (size_t lane = 0; lane < count; ++lane) {
    uint64_t left = numbers[lane] >> 30 & CK_HALF, right = numbers[lane] & CK_HALF;
    ck_feistel_rounds(&left, &right, keys);
    numbers[lane] = left << 30 | right;
  }
}

CK_WIDTHS
void ck_feistel60_back(uint64_t *restrict numbers, size_t count, const uint64_t *restrict keys) {
  const uint64_t reversed[8] = {keys[7], keys[6], keys[5], keys[4],
                                keys[3], keys[2], keys[1], keys[0]};
  for (size_t lane = 0; lane < count; ++lane) {
    uint64_t left = numbers[lane] >> 30 & CK_HALF, right = numbers[lane] & CK_HALF;
    ck_feistel_rounds(&right, &left, reversed);
    numbers[lane] = left << 30 | right;
  }
}

typedef uint16_t ck_lanes32 __attribute__((vector_size(64), aligned(2)));
typedef _Bool ck_flags32 __attribute__((ext_vector_type(32)));

/// One bit for each lane that is true. A macro, as a function that takes vectors of this width would
/// be compiled for one of them.
#define CK_MASK(lanes)                                                    \
  ({                                                                      \
    const ck_flags32 flags = __builtin_convertvector((lanes), ck_flags32); \
    uint32_t mask_;                                                       \
    __builtin_memcpy(&mask_, &flags, sizeof mask_);                       \
    mask_;                                                                \
  })

CK_WIDTHS
size_t ck_due_places(
    const uint16_t *restrict slots, uint16_t *restrict leasts, size_t blocks, uint16_t first,
    uint16_t last, uint16_t *restrict places, const void *lines, size_t most) {
  const uint16_t width = (uint16_t)(last - first);
  size_t found = 0, asked = 0;
  // Blocks are noted first, many at once, and asked for some before they are looked at: so that they
  // come one after another and not all together.
  enum { CK_STEP = 64 * 32, CK_AHEAD = 12 };
  uint16_t open[CK_STEP + CK_AHEAD];
  for (size_t step = 0; step < blocks; step += CK_STEP) {
    const size_t end = blocks - step < CK_STEP ? blocks : step + CK_STEP;
    size_t count = 0;
    for (size_t row = step; row < end; row += 32) {
      const ck_lanes32 here = *(const ck_lanes32 *)(leasts + row);
      uint32_t mask = CK_MASK(here <= last);
      while (mask != 0) {
        open[count++] = (uint16_t)(row + (size_t)__builtin_ctz(mask));
        mask &= mask - 1;
      }
    }
    if (count == 0) continue;
    for (size_t ahead = 0; ahead < CK_AHEAD; ++ahead) {
      if (ahead < count) __builtin_prefetch(slots + open[ahead] * 32, 0, 3);
      open[count + ahead] = open[count - 1];
    }
    for (size_t place = 0; place < count; ++place) {
      __builtin_prefetch(slots + open[place + CK_AHEAD] * 32, 0, 3);
      const size_t block = open[place];
      const ck_lanes32 lanes = *(const ck_lanes32 *)(slots + block * 32);
      const ck_lanes32 hits = (ck_lanes32)((ck_lanes32)(lanes - first) <= width);
      leasts[block] = __builtin_reduce_min(lanes | hits);
      uint32_t mask = CK_MASK(hits != 0);
      // Most blocks have one or two: these are written in any case and counted where they are, as a
      // processor would often guess wrong how many they are.
      const uint32_t begin = (uint32_t)block * 32;
      for (int hit = 0; hit < 2; ++hit) {
        // A bit above the mask means that there is none.
        places[found] = (uint16_t)(begin + (uint32_t)__builtin_ctzll(mask | UINT64_C(1) << 32));
        found += mask != 0;
        mask &= mask - 1;
      }
      while (mask != 0) {
        places[found++] = (uint16_t)(begin + (uint32_t)__builtin_ctz(mask));
        mask &= mask - 1;
      }
    }
    for (; asked < found && asked < most; ++asked) {
      ck_prefetch_far((const char *)lines + (size_t)places[asked] * 64);
    }
  }
  return found;
}

#define CK_HOUR INT64_C(3600000000)

CK_WIDTHS
void ck_season_hours(
    const int64_t *restrict instants, size_t count, int64_t begin, double cumulative, double rate,
    double *restrict hours) {
  for (size_t lane = 0; lane < count; ++lane) {
    const double within = (double)(instants[lane] - begin) / (double)CK_HOUR;
    hours[lane] = cumulative + rate * within;
  }
}

CK_WIDTHS
void ck_season_hours_anywhere(
    const int64_t *restrict instants, size_t count, const struct ck_season *map,
    const double *restrict rates, double *restrict hours) {
  const struct ck_season own = *map;
  for (size_t lane = 0; lane < count; ++lane) {
    const int64_t elapsed = instants[lane] - own.origin;
    // The last microsecond of hour n is more than the rounding of a quotient below hour n + 1.
    const int32_t row = (int32_t)((double)elapsed / (double)CK_HOUR);
    const double within = (double)(elapsed - row * CK_HOUR) / (double)CK_HOUR;
    hours[lane] = own.rows[row].cumulative + rates[row] * within;
  }
}

CK_WIDTHS
void ck_season_instants(
    const double *restrict hours, const int64_t *restrict earlier, size_t count,
    const struct ck_season *map, int64_t *restrict instants) {
  const struct ck_season own = *map;
  enum { CK_STEP = 128 };
  int32_t rows[CK_STEP];
  for (size_t step = 0; step < count; step += CK_STEP) {
    const size_t some = count - step < CK_STEP ? count - step : CK_STEP;
    const double *here = hours + step;
    // Most times lie in the row of their guide or the one behind it; what does not is found after.
    int32_t beyond = 0;
    for (size_t lane = 0; lane < some; ++lane) {
      // What is never is looked up like the start.
      const double inside = here[lane] < own.total ? here[lane] : 0;
      int32_t row = own.guide[(int32_t)(inside * own.bins)];
      row += own.rows[row + 1].cumulative <= inside;
      beyond |= own.rows[row + 1].cumulative <= inside;
      rows[lane] = row;
    }
    for (size_t lane = 0; beyond != 0 && lane < some; ++lane) {
      const double inside = here[lane] < own.total ? here[lane] : 0;
      while (own.rows[rows[lane] + 1].cumulative <= inside) ++rows[lane];
    }
    for (size_t lane = 0; lane < some; ++lane) {
      const int32_t isInside = here[lane] < own.total;
      const double inside = isInside ? here[lane] : 0;
      const struct ck_season_row row = own.rows[rows[lane]];
      const double within = (inside - row.cumulative) * row.micros;
      const int64_t found = own.origin + rows[lane] * CK_HOUR + (int64_t)within;
      const int64_t instant = isInside && found < own.end ? found : own.never;
      const int64_t next = earlier[step + lane] + 1;
      instants[step + lane] = instant > next ? instant : next;
    }
  }
}

CK_WIDTHS
struct ck_marked_sums ck_sum_marked(
    const struct ck_marked *restrict marked, size_t count, int64_t start) {
  int64_t n1 = 0, n2 = 0, n3 = 0, t0 = 0, t1 = 0, t2 = 0, t3 = 0;
  for (size_t lane = 0; lane < count; ++lane) {
    const int64_t kind = marked[lane].mark >> 30, time = marked[lane].time - start;
    const int64_t is1 = -(kind == 1), is2 = -(kind == 2), is3 = -(kind == 3);
    n1 -= is1;
    n2 -= is2;
    n3 -= is3;
    t0 += time;
    t1 += time & is1;
    t2 += time & is2;
    t3 += time & is3;
  }
  return (struct ck_marked_sums){
      {(int64_t)count - n1 - n2 - n3, n1, n2, n3}, {t0 - t1 - t2 - t3, t1, t2, t3}};
}
