// HOLD model over std::priority_queue: pop the earliest, push one at + increment.
// Usage: hold PENDING OPERATIONS DISTRIBUTION [drawn]. Prints nanoseconds a hold and a digest. With 0
// pending events it only draws the increments, and prints nanoseconds a draw and their sum. With 'drawn',
// increments are read one after another from a table of 2^20 that was drawn before.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <queue>
#include <vector>

#include "random.h"

struct Event {
  uint64_t time, payload;
};
struct Later {
  bool operator()(const Event &a, const Event &b) const {
    return a.time > b.time || (a.time == b.time && a.payload > b.payload);
  }
};

// One second of simulated time is 2^32 ticks.
static const double tick = 4294967296.0;

template <class Increment>
static void measure(size_t pending, size_t operations, SplitMix64 random, Increment increment) {
  if (pending == 0) {
    uint64_t sum = 0;
    auto start = std::chrono::steady_clock::now();
    for (size_t i = 0; i < operations; ++i) sum += increment(random);
    auto stop = std::chrono::steady_clock::now();
    double nanos = std::chrono::duration<double, std::nano>(stop - start).count();
    printf("%.3f %016llx\n", nanos / double(operations), (unsigned long long)sum);
    return;
  }
  std::vector<Event> room;
  room.reserve(pending + 1);
  std::priority_queue<Event, std::vector<Event>, Later> queue(Later{}, std::move(room));
  for (size_t i = 0; i < pending; ++i) queue.push({increment(random), i});
  auto hold = [&](size_t count) {
    uint64_t digest = 0;
    for (size_t i = 0; i < count; ++i) {
      Event event = queue.top();
      queue.pop();
      digest = (digest ^ event.time ^ event.payload) * 0x9E3779B97F4A7C15u;
      queue.push({event.time + increment(random), event.payload});
    }
    return digest;
  };
  uint64_t digest = hold(pending < operations ? pending : operations);  // to the steady state
  auto start = std::chrono::steady_clock::now();
  digest ^= hold(operations);
  auto stop = std::chrono::steady_clock::now();
  double nanos = std::chrono::duration<double, std::nano>(stop - start).count();
  printf("%.3f %016llx\n", nanos / double(operations), (unsigned long long)digest);
}

static bool isDrawn = false;

template <class Increment>
static void run(size_t pending, size_t operations, Increment increment) {
  SplitMix64 random{42};
  if (!isDrawn) return measure(pending, operations, random, increment);
  const size_t count = size_t(1) << 20;
  std::vector<uint64_t> table(count);
  for (uint64_t &value : table) value = increment(random);
  const uint64_t *first = table.data();
  size_t place = 0;
  measure(pending, operations, random, [=](SplitMix64 &) mutable {
    place = (place + 1) & (count - 1);
    return first[place];
  });
}

int main(int argc, char **argv) {
  isDrawn = argc == 5 && strcmp(argv[4], "drawn") == 0;
  if (argc != 4 && !isDrawn) return 64;
  size_t pending = strtoull(argv[1], nullptr, 10), operations = strtoull(argv[2], nullptr, 10);
  const char *name = argv[3];
  auto is = [&](const char *other) { return strcmp(name, other) == 0; };
  if (is("exponential"))
    run(pending, operations, [](SplitMix64 &r) { return uint64_t(-log(r.uniform()) * tick); });
  else if (is("uniform"))
    run(pending, operations, [](SplitMix64 &r) { return uint64_t(r.uniform() * (2 * tick)); });
  else if (is("bimodal"))
    run(pending, operations, [](SplitMix64 &r) {
      double u = r.uniform();
      return uint64_t((u < 0.9 ? u * 0.1 : 10 * u) * tick);
    });
  else if (is("heavy"))
    // Pareto, tail exponent 1.5: U^(-2/3), where the largest of three uniforms is as U^(1/3) is.
    run(pending, operations, [](SplitMix64 &r) {
      double a = r.uniform(), b = r.uniform(), c = r.uniform();
      double u = std::max(a, std::max(b, c));
      return uint64_t(tick / 3 / (u * u));
    });
  else if (is("constant"))
    run(pending, operations, [](SplitMix64 &r) {
      r.next();
      return uint64_t(tick);
    });
  else if (is("whole"))
    run(pending, operations,
        [](SplitMix64 &r) { return uint64_t(1 + (r.next() >> 60)) << 32; });
  else
    return 64;
}
