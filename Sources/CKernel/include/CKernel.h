// What Swift has no word for: the prefetch and pause instructions, a packed compare of 16-bit
// lanes to a bit mask, advice about huge pages, and loops over lanes that are compiled for several
// widths of vectors. All are hints or pure functions.
//
// The C library's functions of numbers come with it, called directly, so that no file has to ask
// which C library the platform has.
#pragma once
#include <math.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/mman.h>
#if defined(__linux__)
#include <sys/epoll.h>
#endif
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Asks for the cache line at `address`, to be read and written soon. Never faults.
static inline void ck_prefetch(const void *address) { __builtin_prefetch(address, 1, 3); }

/// Tells the processor that a thread spins, so that it yields its resources for a moment.
static inline void ck_pause(void) {
#if defined(__SSE2__)
  _mm_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("isb");
#endif
}

/// Bit i of the answer says whether lanes[i] == value, for 16 lanes. `lanes` is 16-byte aligned.
static inline uint32_t ck_equal_mask16(const uint16_t *lanes, uint16_t value) {
#if defined(__SSE2__)
  const __m128i wanted = _mm_set1_epi16((short)value);
  const __m128i low = _mm_cmpeq_epi16(_mm_load_si128((const __m128i *)lanes), wanted);
  const __m128i high = _mm_cmpeq_epi16(_mm_load_si128((const __m128i *)(lanes + 8)), wanted);
  return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
#else
  uint32_t mask = 0;
  for (int i = 0; i < 16; ++i) mask |= (uint32_t)(lanes[i] == value) << i;
  return mask;
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

/// A balanced Feistel network of eight rounds over the two 30-bit halves of many numbers below
/// 2^60, in place. A round multiplies the keyed half by an odd key and keeps the upper 30 of 64 bits.
void ck_feistel60(uint64_t *numbers, size_t count, const uint64_t *keys);

/// The inverse of ck_feistel60 under the same keys.
void ck_feistel60_back(uint64_t *numbers, size_t count, const uint64_t *keys);

/// The places, ascending, of the lanes that are `first` or `second`; returns how many there are.
/// `lanes` is 16-byte aligned and holds a multiple of 16; `places` has room for all of them. The
/// cache lines at the first `most` of these places are asked for on the way, counted from `lines` on.
size_t ck_places_of(
    const uint16_t *lanes, size_t count, uint16_t first, uint16_t second, uint16_t *places,
    const void *lines, size_t most);
