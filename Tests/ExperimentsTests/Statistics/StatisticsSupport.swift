// Goal: what several tests of the statistics share.
// Method: a counter of how often an interval covers, and streams named by repetition.
import EventKernel
import Experiments

/// How often something that should happen with a stated probability did.
struct CoverageCount {
  var hits = 0
  var repetitions = 0

  mutating func count(_ covered: Bool) {
    repetitions += 1
    if covered { hits += 1 }
  }

  var share: Double { Double(hits) / Double(repetitions) }
}

/// A stream of its own for a repetition; the tests' purposes lie far from the product's.
func repetitionStream(_ repetition: Int, purpose: UInt32) -> RandomStream {
  RandomStream(seed: 20_260_101, purpose: 9_000 + purpose, entity: UInt64(repetition))
}

/// True when two numbers agree to a relative, near 0 an absolute, difference.
func near(_ value: Double?, _ expected: Double, _ tolerance: Double = 1e-9) -> Bool {
  guard let value else { return false }
  return abs(value - expected) <= tolerance * max(1, abs(expected))
}
