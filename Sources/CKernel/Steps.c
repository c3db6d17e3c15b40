// What the members of a cell do first, for many at once: no branch depends on what a member does, as a
// processor would often guess it wrong.
#include "CKernel.h"
#include "Widths.h"

CK_WIDTHS
void ck_first_steps(
    const struct ck_member *restrict members, const struct ck_awaited *restrict awaited,
    const uint16_t *restrict places, size_t count, size_t ahead,
    const struct ck_step_rules *restrict rules, const uint32_t *bought,
    struct ck_step_columns *restrict steps) {
  const struct ck_step_rules own = *rules;
  uint32_t *restrict opens = steps->openings, *restrict buys = steps->purchases;
  uint8_t *restrict kinds = steps->kinds;
  size_t opening = 0, purchase = 0;
  for (size_t lane = 0; lane < count; ++lane) {
    const size_t near = places[lane + ahead];
    ck_prefetch(members + near);
    if (awaited != NULL) {
      ck_prefetch(awaited + near);
      ck_prefetch((const char *)(awaited + near) + 64);
    }
    const size_t place = places[lane];
    const struct ck_member *row = members + place;
    const uint32_t is_purchase = row->purchase <= row->opening;
    const int64_t next = is_purchase ? row->purchase : row->opening;
    const int64_t look = (int64_t)((uint64_t)row->signed_up + (uint64_t)own.wait);
    const uint32_t status = row->status;
    const uint32_t is_eligible = (status & own.eligible_bits) == own.eligible;
    const uint32_t is_pending = (status & own.pending) != 0;
    const uint32_t leaves = (row->purchases & own.leaves) != 0;
    uint32_t is_first = (uint32_t)(next < own.end) & is_eligible;
    is_first &= ~(is_pending & (uint32_t)(look <= next)) & ~(is_purchase & leaves);
    if (awaited != NULL) {
      const struct ck_awaited *own_awaited = awaited + place;
      is_first &= (uint32_t)(own_awaited->visit > next) & (uint32_t)(own_awaited->delivery > next)
                  & (uint32_t)(own_awaited->back > next);
    }
    const uint32_t is_buying = is_first & is_purchase;
    ck_prefetch(bought + (place & (0 - (size_t)is_buying)));
    kinds[lane] = (uint8_t)((is_first ^ 1) << 1 | is_buying);
    // Written in any case and counted where it holds.
    const uint32_t spot = (uint32_t)(lane << 16 | place);
    opens[opening] = spot;
    opening += is_first & ~is_purchase;
    buys[purchase] = spot;
    purchase += is_buying;
  }
  steps->opening_count = opening;
  steps->purchase_count = purchase;
}
