// What Swift has no word for: the prefetch and pause instructions, advice about huge pages, and
// loops over lanes that are compiled for several widths of vectors. All are hints or pure functions.
#pragma once
#include "Elementary.h"
#include <stdint.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#if defined(__linux__)
#include <sys/epoll.h>
#endif
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Asks for the cache line at `address`, to be read and written soon. Never faults.
static inline void ck_prefetch(const void *address) { __builtin_prefetch(address, 1, 3); }

/// Asks for the cache line at `address`, to be in the second cache after a while: for many at once,
/// which would fill the first one's line of misses. Never faults.
static inline void ck_prefetch_far(const void *address) { __builtin_prefetch(address, 0, 2); }

/// Tells the processor that a thread spins, so that it yields its resources for a moment.
static inline void ck_pause(void) {
#if defined(__SSE2__)
  _mm_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("isb");
#endif
}

/// Asks the kernel to back a range with huge pages; harmless where it cannot.
static inline void ck_advise_huge(void *address, size_t bytes) {
#if defined(MADV_HUGEPAGE)
  madvise(address, bytes, MADV_HUGEPAGE);
#else
  (void)address;
  (void)bytes;
#endif
}

#if defined(__linux__)
/// Waits for events of an epoll instance, at most so many nanoseconds; -1 waits for ever.
/// Returns what epoll_pwait2 returns. Kernels before 5.11 wait whole milliseconds, rounded up.
int ck_epoll_wait(int epoll, struct epoll_event *events, int most, int64_t nanoseconds);
#endif

/// One block of each of many streams of Philox 4x32-10: of (counters[i], purpose, entities[i], 0)
/// under the key `seed`, mirrored where its highest bit is set. Word w of lane i goes to
/// words[w * count + i]; `words` has room for 4 * count.
void ck_philox_blocks(
    uint32_t *words, size_t count, const uint32_t *counters, const uint32_t *entities,
    uint32_t purpose, uint64_t seed);

/// Four blocks of one stream of Philox 4x32-10, side by side: of (counter + i, purpose, entity) under the
/// key `seed`, mirrored where the seed's highest bit is set. `pairs` receives eight pairs of 32-bit words, the
/// first word of each in the lower half.
void ck_philox_ahead(
    uint64_t *pairs, uint32_t counter, uint32_t purpose, uint64_t entity, uint64_t seed);

/// Logarithms of many positive, finite and normal numbers: ck_log of each. `logs` may be `numbers`.
void ck_logs(double *logs, const double *numbers, size_t count);

/// e to many powers: ck_exp of each. `numbers` may be `powers`.
void ck_exps(double *numbers, const double *powers, size_t count);

/// Logarithms of the uniform numbers that 64 random bits each are taken for: of an odd multiple of 2^-53.
void ck_log_uniforms(double *logs, const uint64_t *bits, size_t count);

/// A balanced Feistel network of eight rounds over the two 30-bit halves of many numbers below
/// 2^60, in place. A round multiplies the keyed half by an odd key and keeps the upper 30 of 64 bits.
void ck_feistel60(uint64_t *numbers, size_t count, const uint64_t *keys);

/// The inverse of ck_feistel60 under the same keys.
void ck_feistel60_back(uint64_t *numbers, size_t count, const uint64_t *keys);

/// The places, ascending, of the slots from `first` to `last`; returns how many there are.
///
/// `slots` holds a multiple of 32, none of them below `first`. `leasts` has one number for each 32
/// of them, none greater than the least of them, padded with UINT16_MAX to a multiple of 32; of
/// blocks that are looked at it has the least of the slots after `last` afterwards. `places` has
/// room for all of them and two more. The cache lines at the first `most` of these places are asked
/// for on the way, counted from `lines` on.
size_t ck_due_places(
    const uint16_t *slots, uint16_t *leasts, size_t blocks, uint16_t first, uint16_t last,
    uint16_t *places, const void *lines, size_t most);

/// An hour of a season: operational hours at its beginning, and microseconds of clock time for one of
/// them, 0 where nothing happens.
struct ck_season_row {
  double cumulative, micros;
};

/// The map from operational time to the clock. `guide` has, for each of `bins` parts of an operational
/// hour, the row in which it begins; one row more than there are hours ends the table.
struct ck_season {
  const struct ck_season_row *rows;
  const int32_t *guide;
  double bins, total;
  /// In microseconds: the start, the first instant after the end, and what stands for never.
  int64_t origin, end, never;
};

/// The instants of many operational times of 0 or more, in microseconds, each at least one after its
/// `earlier`; `never` from `end` on and where an hour is not below `total`.
void ck_season_instants(
    const double *hours, const int64_t *earlier, size_t count, const struct ck_season *map,
    int64_t *instants);

/// Operational hours at many instants of one hour that begins at `begin`, where `cumulative` have
/// passed and time goes at `rate`.
void ck_season_hours(
    const int64_t *instants, size_t count, int64_t begin, double cumulative, double rate,
    double *hours);

/// Operational hours at many instants from `origin` until before `end`; `rates` has the rate of each
/// hour. Within a million hours.
void ck_season_hours_anywhere(
    const int64_t *instants, size_t count, const struct ck_season *map, const double *rates,
    double *hours);

/// An instant with 64 bits about it, of which the highest two name one of four kinds.
struct ck_marked {
  int64_t time;
  uint32_t low, mark;
};

/// By kind: how many there are, and the times since `start` added up.
struct ck_marked_sums {
  int64_t counts[4], times[4];
};

/// Adds up what has been marked.
struct ck_marked_sums ck_sum_marked(const struct ck_marked *marked, size_t count, int64_t start);

/// What loops read of a member's row of 64 bytes: instants in microseconds, flags where the rules for
/// them say which bits count.
struct ck_member {
  int64_t signed_up, purchase, opening;
  float gap, dropout;
  uint32_t purchases;
  uint16_t held, pace;
  int64_t comps;
  uint32_t quarter, lifetime;
  uint8_t carried, floor, tier, status;
  uint32_t affiliate;
};

/// What else a member waits for, at the beginning of two lines of the cache.
struct ck_awaited {
  int64_t visit, delivery, back;
  uint8_t rest[104];
};

/// When and for whom a purchase or an opening is what comes first.
struct ck_step_rules {
  /// The end of the window, and how long after signing up a pending guarantee is looked at first.
  int64_t end, wait;
  /// The bit of `purchases` that says that a purchase is none.
  uint32_t leaves;
  /// The bits of `status` that have to be as `eligible` has them, and the bit of a pending guarantee.
  uint8_t eligible_bits, eligible, pending;
};

/// What members do first: for each the kind of it (0 an opening, 1 a purchase, 2 anything else), and
/// those who open and those who buy: their places among the members in the lower 16 bits, and above
/// them where these are among the places.
struct ck_step_columns {
  uint8_t *kinds;
  uint32_t *openings, *purchases;
  size_t opening_count, purchase_count;
};

/// Sees what the members at some places do first; 65,536 places at most.
///
/// `awaited` is NULL where members wait for nothing else. The lines of members `ahead` places later are
/// asked for, so that as many places follow the last one, and `bought` of those who buy. Columns have
/// room for all places.
void ck_first_steps(
    const struct ck_member *members, const struct ck_awaited *awaited, const uint16_t *places,
    size_t count, size_t ahead, const struct ck_step_rules *rules, const uint32_t *bought,
    struct ck_step_columns *steps);
