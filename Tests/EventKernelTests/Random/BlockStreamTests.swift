// Goal: a stream that draws several blocks at once gives what the stream of the same name gives.
// Method: both, word by word and variate by variate, in any mixture of widths, to beyond what was drawn
// at once.
import EventKernel
import Testing

@Suite struct BlockStreamTests {
  private static let seeds: [UInt64] = [
    0, 7, .max, RandomStream.mirrored(7), 0x1234_5678_9ABC_DEF0,
  ]
  private static let entities: [UInt64] = [0, 1, 0xFFFF_FFFF, 5 << 32 | 9, .max]

  @Test("Words are the same, whatever is asked for", arguments: seeds, entities)
  func words(seed: UInt64, entity: UInt64) {
    for counter: UInt32 in [0, 1, 65_536, .max - 60] {
      var one = BlockStream(seed: seed, purpose: 31, entity: entity, counter: counter)
      var other = RandomStream(seed: seed, purpose: 31, entity: entity, counter: counter)
      var choice = RandomStream(seed: seed, purpose: 32, entity: entity)
      for draw in 0..<60 {
        if choice.uniform() < 0.4 {
          #expect(one.nextUInt32() == other.nextUInt32(), "draw \(draw)")
        } else {
          #expect(one.nextUInt64() == other.nextUInt64(), "draw \(draw)")
        }
      }
    }
  }

  @Test("Variates are the same")
  func variates() {
    for entity in UInt64(0)..<200 {
      var one = BlockStream(seed: 3, purpose: 9, entity: entity << 30)
      var other = RandomStream(seed: 3, purpose: 9, entity: entity << 30)
      for _ in 0..<4 {
        #expect(one.erlang(shape: 2, mean: 5) == other.erlang(shape: 2, mean: 5))
        #expect(one.uniformIndex(below: 19) == other.uniformIndex(below: 19))
        #expect(one.binomial(7, 0.3) == other.binomial(7, 0.3))
        #expect(one.binomial(900, 0.4) == other.binomial(900, 0.4))
        #expect(one.exponential(mean: 3) == other.exponential(mean: 3))
      }
    }
  }
}
