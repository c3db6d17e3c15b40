// Goal: streams are Philox 4x32-10 exactly, and are laid out as documented.
// Method: the known-answer vectors of the Random123 distribution (tests/kat_vectors), blocks
// against streams, and chi-square tests across neighboring keys at fixed seeds.
import CGSL
import EventKernel
import Testing

@Suite struct PhiloxTests {
  @Test("Known answers of Random123: philox4x32 10")
  func knownAnswers() {
    let ones = UInt32.max
    #expect(
      Philox.block(counter: SIMD4(0, 0, 0, 0), key: SIMD2(0, 0))
        == SIMD4(0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8))
    #expect(
      Philox.block(counter: SIMD4(ones, ones, ones, ones), key: SIMD2(ones, ones))
        == SIMD4(0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd))
    #expect(
      Philox.block(
        counter: SIMD4(0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344),
        key: SIMD2(0xa409_3822, 0x299f_31d0))
        == SIMD4(0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1))
  }

  @Test("A stream's block is Philox of (counter, purpose, entity) under the seed")
  func layout() {
    var stream = RandomStream(
      seed: 0x299f_31d0_a409_3822, purpose: 0x85a3_08d3, entity: 0x0370_7344_1319_8a2e,
      counter: 0x243f_6a88)
    #expect(stream.nextBlock() == SIMD4(0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1))
    #expect(stream.counter == 0x243f_6a89)
  }

  @Test("The highest bit of a seed mirrors its streams: opposite bits, 1 − u for u")
  func mirrored() {
    for seed in [UInt64(0), 7, 0x7fff_ffff_ffff_ffff] {
      let other = RandomStream.mirrored(seed)
      #expect(other == seed + 0x8000_0000_0000_0000 && RandomStream.mirrored(other) == seed)
      var stream = RandomStream(seed: seed, purpose: 3, entity: 1 << 40)
      var mirror = RandomStream(seed: other, purpose: 3, entity: 1 << 40)
      #expect(mirror.nextBlock() == ~stream.nextBlock())
      #expect(mirror.nextUInt32() == ~stream.nextUInt32())
      #expect(mirror.nextUInt64() == ~stream.nextUInt64())
      for _ in 0..<100 {
        #expect(mirror.uniform() == 1 - stream.uniform())
        #expect(abs(mirror.normal() + stream.normal()) < 1e-12)
        #expect(mirror.uniformIndex(below: 6) == 5 - stream.uniformIndex(below: 6))
      }
    }
  }

  @Test("Blocks of many streams at once are those of each stream")
  func manyBlocks() {
    for count in [0, 1, 3, 4, 7, 8, 16, 37, 256] {
      for seed in [UInt64(0), 20_260_101, 0x299f_31d0_a409_3822, RandomStream.mirrored(77)] {
        let entities = (0..<UInt32(count)).map { $0 &* 2_654_435_761 }
        let counters = (0..<UInt32(count)).map { UInt32.max &- $0 &* 40_503 }
        var words = [UInt32](repeating: 0, count: 4 * count)
        entities.withUnsafeBufferPointer { entities in
          counters.withUnsafeBufferPointer { counters in
            words.withUnsafeMutableBufferPointer {
              RandomStream.blocks(
                seed: seed, purpose: 3, entities: entities, counters: counters, into: $0)
            }
          }
        }
        // The last block of a stream is no more than the one that counts its blocks.
        for lane in 0..<count where counters[lane] < .max {
          var stream = RandomStream(
            seed: seed, purpose: 3, entity: UInt64(entities[lane]), counter: counters[lane])
          let block = stream.nextBlock()
          for word in 0..<4 {
            #expect(words[word * count + lane] == block[word], "\(count) lanes, seed \(seed)")
          }
        }
      }
    }
  }

  @Test("Words come in order; a 64-bit draw takes an aligned pair and skips an odd word")
  func wordOrder() {
    var blocks = RandomStream(seed: 9, purpose: 1, entity: 4)
    let first = blocks.nextBlock()
    let second = blocks.nextBlock()
    func wide(_ low: UInt32, _ high: UInt32) -> UInt64 { UInt64(high) << 32 | UInt64(low) }

    var words = RandomStream(seed: 9, purpose: 1, entity: 4)
    for expected in [first.x, first.y, first.z, first.w, second.x] {
      #expect(words.nextUInt32() == expected)
    }
    var pairs = RandomStream(seed: 9, purpose: 1, entity: 4)
    #expect(pairs.nextUInt64() == wide(first.x, first.y))
    #expect(pairs.nextUInt64() == wide(first.z, first.w))
    #expect(pairs.nextUInt64() == wide(second.x, second.y))

    var mixed = RandomStream(seed: 9, purpose: 1, entity: 4)
    #expect(mixed.nextUInt32() == first.x)
    #expect(mixed.nextUInt64() == wide(first.z, first.w))
    #expect(mixed.nextUInt32() == second.x)
    #expect(mixed.nextUInt32() == second.y)
    #expect(mixed.nextUInt32() == second.z)
    var third = RandomStream(seed: 9, purpose: 1, entity: 4, counter: 2)
    #expect(mixed.nextUInt64() == third.nextUInt64())
  }

  @Test("A stream made again from its counter continues at the next whole block")
  func restart() {
    var stream = RandomStream(seed: 3, purpose: 2, entity: 8)
    for _ in 0..<5 { _ = stream.nextUInt32() }
    var again = RandomStream(seed: 3, purpose: 2, entity: 8, counter: stream.counter)
    stream.dropPartialBlock()
    for _ in 0..<20 { #expect(stream.nextUInt64() == again.nextUInt64()) }
  }

  @Test("Uniform numbers stay strictly between 0 and 1, at both ends")
  func openInterval() {
    #expect(RandomStream.uniform(UInt32(0)) == 0x1p-33)
    #expect(RandomStream.uniform(UInt32.max) == 1 - 0x1p-33)
    #expect(RandomStream.uniform(wide: 0) == 0x1p-53)
    #expect(RandomStream.uniform(wide: .max) == 1 - 0x1p-53)
  }

  /// What differs between two neighboring streams.
  enum Neighbour: CaseIterable, Sendable { case seed, purpose, entityLow, entityHigh, counter }

  static func stream(_ neighbour: Neighbour, _ step: UInt32) -> RandomStream {
    switch neighbour {
    case .seed: RandomStream(seed: UInt64(step), purpose: 1, entity: 7)
    case .purpose: RandomStream(seed: 11, purpose: step, entity: 7)
    case .entityLow: RandomStream(seed: 11, purpose: 1, entity: UInt64(step))
    case .entityHigh: RandomStream(seed: 11, purpose: 1, entity: UInt64(step) << 32)
    case .counter: RandomStream(seed: 11, purpose: 1, entity: 7, counter: step)
    }
  }

  @Test("First draws of neighboring streams are independent", arguments: Neighbour.allCases)
  func independence(neighbour: Neighbour) {
    // 16 × 16 table of the first draws of streams i and i + 1; chi-square with 255 degrees of
    // freedom, two-sided at significance 1e-4.
    var table = [Double](repeating: 0, count: 256)
    var product = 0.0
    let count: UInt32 = 40_000
    for step in 0..<count {
      var left = Self.stream(neighbour, step)
      var right = Self.stream(neighbour, step + 1)
      let a = left.uniform()
      let b = right.uniform()
      table[Int(a * 16) * 16 + Int(b * 16)] += 1
      product += (a - 0.5) * (b - 0.5)
    }
    let expected = Double(count) / 256
    let statistic = table.reduce(0) { $0 + ($1 - expected) * ($1 - expected) / expected }
    let p = gsl_cdf_chisq_Q(statistic, 255)
    #expect(p > 0.5e-4 && p < 1 - 0.5e-4, "chi-square \(statistic), p = \(p)")
    let correlation = product / Double(count) * 12 * Double(count).squareRoot()
    #expect(abs(correlation) < 3.9, "correlation is \(correlation) standard errors from 0")
  }

  @Test("Words are equidistributed bit by bit")
  func bits() {
    var stream = RandomStream(seed: 21, purpose: 0, entity: 0)
    var ones = [Int](repeating: 0, count: 64)
    let draws = 20_000
    for _ in 0..<draws {
      let word = stream.nextUInt64()
      for bit in 0..<64 { ones[bit] += Int(word >> UInt64(bit) & 1) }
    }
    for (bit, count) in ones.enumerated() {
      let z = (Double(count) - Double(draws) / 2) / (Double(draws) / 4).squareRoot()
      #expect(abs(z) < 4.5, "bit \(bit) is set \(count) times in \(draws)")
    }
  }
}
