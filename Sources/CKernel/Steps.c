// What the members of a cell do first, for many at once: no branch depends on what a member does, as a
// processor would often guess it wrong.
#include "CKernel.h"
#include "Widths.h"

_Static_assert(
    offsetof(struct ck_member, status) == offsetof(struct ck_member, carried) + 3,
    "the status is the last of four bytes");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the last byte is the highest");

/// Members whose rows are asked for and looked at together.
enum { CK_SOME = 128 };

/// Asks for the lines of members.
static inline __attribute__((always_inline)) void ck_ask(
    const struct ck_member *members, const struct ck_awaited *awaited, const uint16_t *places,
    size_t count) {
  for (size_t lane = 0; lane < count; ++lane) {
    const size_t place = places[lane];
    ck_prefetch(members + place);
    if (awaited == NULL) continue;
    ck_prefetch(awaited + place);
    ck_prefetch((const char *)(awaited + place) + 64);
  }
}

/// Sees when each member does something next, and of which kind it is, in lanes of vectors.
static inline __attribute__((always_inline)) void ck_kinds(
    const struct ck_member *restrict members, const uint16_t *restrict places, size_t count,
    const struct ck_step_rules *rules, int64_t *restrict times, uint8_t *restrict kinds) {
  const int64_t end = rules->end;
  const uint64_t wait = (uint64_t)rules->wait;
  const uint32_t leaves = rules->leaves;
  // Where the status lies among the four bytes that end with it.
  const uint32_t eligible_bits = (uint32_t)rules->eligible_bits << 24;
  const uint32_t eligible = (uint32_t)rules->eligible << 24;
  const uint32_t pending = (uint32_t)rules->pending << 24;
#pragma clang loop vectorize(enable)
  for (size_t lane = 0; lane < count; ++lane) {
    const struct ck_member *row = members + places[lane];
    uint32_t standing;
    memcpy(&standing, (const char *)row + offsetof(struct ck_member, carried), sizeof standing);
    const uint32_t is_purchase = row->purchase <= row->opening;
    const int64_t next = is_purchase ? row->purchase : row->opening;
    const int64_t look = (int64_t)((uint64_t)row->signed_up + wait);
    const uint32_t is_eligible = (standing & eligible_bits) == eligible;
    const uint32_t is_pending = (standing & pending) != 0;
    const uint32_t is_leaving = (row->purchases & leaves) != 0;
    const uint32_t is_first = (uint32_t)(next < end) & is_eligible
                              & ~(is_pending & (uint32_t)(look <= next))
                              & ~(is_purchase & is_leaving);
    times[lane] = next;
    kinds[lane] = (uint8_t)((is_first ^ 1) << 1 | (is_first & is_purchase));
  }
}

CK_WIDTHS
void ck_first_steps(
    const struct ck_member *restrict members, const struct ck_awaited *restrict awaited,
    const uint16_t *restrict places, size_t count, size_t ahead,
    const struct ck_step_rules *restrict rules, const uint32_t *bought,
    struct ck_step_columns *restrict steps) {
  uint32_t *restrict opens = steps->openings, *restrict buys = steps->purchases;
  size_t opening = 0, purchase = 0;
  int64_t times[CK_SOME];
  for (size_t from = 0; from < count; from += CK_SOME) {
    const size_t some = count - from < CK_SOME ? count - from : CK_SOME;
    const uint16_t *restrict own = places + from;
    uint8_t *restrict kinds = steps->kinds + from;
    ck_ask(members, awaited, own + ahead, some);
    ck_kinds(members, own, some, rules, times, kinds);
    if (awaited != NULL) {
      for (size_t lane = 0; lane < some; ++lane) {
        const struct ck_awaited *waits = awaited + own[lane];
        const int64_t next = times[lane];
        const int is_first =
            (waits->visit > next) & (waits->delivery > next) & (waits->back > next);
        kinds[lane] = is_first ? kinds[lane] : 2;
      }
    }
    for (size_t lane = 0; lane < some; ++lane) {
      const uint32_t is_opening = kinds[lane] == 0, is_buying = kinds[lane] == 1;
      const size_t place = own[lane];
      ck_prefetch(bought + (place & (0 - (size_t)is_buying)));
      // Written in any case and counted where it holds.
      const uint32_t spot = (uint32_t)((from + lane) << 16 | place);
      opens[opening] = spot;
      opening += is_opening;
      buys[purchase] = spot;
      purchase += is_buying;
    }
  }
  steps->opening_count = opening;
  steps->purchase_count = purchase;
}
