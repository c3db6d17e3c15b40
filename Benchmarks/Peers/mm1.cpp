// M/M/1 written by hand over std::priority_queue. Usage: mm1 CUSTOMERS
// Prints customers a second and the mean wait, which must equal bench-mm1's.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <queue>
#include <vector>

#include "random.h"

enum Kind : uint32_t { arrival, departure };
struct Event {
  int64_t time;
  uint64_t sequence;
  Kind kind;
};
struct Later {
  bool operator()(const Event &a, const Event &b) const {
    return a.time > b.time || (a.time == b.time && a.sequence > b.sequence);
  }
};

int main(int argc, char **argv) {
  if (argc != 2) return 64;
  uint64_t customers = strtoull(argv[1], nullptr, 10);
  auto begin = std::chrono::steady_clock::now();
  SplitMix64 arrivals{1}, services{2};
  std::priority_queue<Event, std::vector<Event>, Later> events;
  std::deque<int64_t> line;
  bool busy = false;
  uint64_t sequence = 0, started = 0;
  double mean = 0, squares = 0, lineArea = 0, busyArea = 0;
  int64_t lineSince = 0, busySince = 0;
  auto draw = [](SplitMix64 &random, double mean) {
    return int64_t(std::nearbyint(-log(random.uniform()) * mean * 1e6));
  };
  events.push({0, sequence++, arrival});
  while (started < customers) {
    Event event = events.top();
    events.pop();
    int64_t now = event.time;
    auto start = [&](int64_t since) {
      double wait = double(now - since) / 1e6;
      ++started;
      double delta = wait - mean;
      mean += delta / double(started);
      squares += delta * (wait - mean);
      events.push({now + draw(services, 1.0), sequence++, departure});
    };
    auto noteLine = [&] {
      lineArea += double(line.size()) * double(now - lineSince);
      lineSince = now;
    };
    auto noteBusy = [&] {
      busyArea += double(busy) * double(now - busySince);
      busySince = now;
    };
    if (event.kind == arrival) {
      events.push({now + draw(arrivals, 1.25), sequence++, arrival});
      if (!busy) {
        noteBusy();
        busy = true;
        start(now);
      } else {
        noteLine();
        line.push_back(now);
      }
    } else if (line.empty()) {
      noteBusy();
      busy = false;
    } else {
      noteLine();
      int64_t since = line.front();
      line.pop_front();
      start(since);
    }
  }
  auto end = std::chrono::steady_clock::now();
  double seconds = std::chrono::duration<double>(end - begin).count();
  if (squares < 0 || lineArea < 0 || busyArea < 0) return 1;  // keep them computed
  printf("%.0f %.9f\n", double(customers) / seconds, mean);
}
