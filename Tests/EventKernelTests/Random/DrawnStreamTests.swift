// Goal: streams whose first blocks are drawn side by side give what each of them gives by itself.
// Method: both, word by word and variate by variate, to beyond what was drawn before.
import EventKernel
import Testing

@Suite struct DrawnStreamTests {
  @Test("Streams drawn side by side are the same streams", arguments: [1, 2, 5])
  func words(blocks: Int) {
    for seed in [0, 7, UInt64.max, RandomStream.mirrored(7)] {
      let drawn = DrawnStreams(seed: seed, purpose: 12, blocks: blocks)
      for first in [UInt32(0), 41, 4_000_000_000] {
        drawn.draw(from: first)
        for place in 0..<DrawnStreams.capacity {
          var one = drawn.stream(place)
          var other = RandomStream(
            seed: seed, purpose: 12, entity: UInt64(first + UInt32(place)))
          for _ in 0..<2 * blocks + 5 { #expect(one.nextUInt64() == other.nextUInt64()) }
        }
      }
    }
  }

  @Test func variatesAreTheSame() {
    let drawn = DrawnStreams(seed: 3, purpose: 9, blocks: 4)
    drawn.draw(from: 100)
    for place in 0..<DrawnStreams.capacity {
      var one = drawn.stream(place)
      var other = RandomStream(seed: 3, purpose: 9, entity: UInt64(100 + place))
      for _ in 0..<6 {
        #expect(one.gamma(shape: 0.4, scale: 2) == other.gamma(shape: 0.4, scale: 2))
        #expect(one.beta(0.8, 2.5) == other.beta(0.8, 2.5))
        #expect(one.standardExponential() == other.standardExponential())
      }
    }
  }
}
