// Goal: the same message and language again is a hit, and the least recently used gives way.
// Method: small cases by hand; random requests beside a plain array in order of use.
import BlakJaks
import Testing

/// A cache as one would write it down: the entries in order of use, latest last.
private struct PlainCache {
  let capacity: Int
  var entries: [(message: Int64, language: Language)] = []

  mutating func request(_ message: Int64, _ language: Language) -> Bool {
    let place = entries.firstIndex { $0.message == message && $0.language == language }
    if let place { entries.remove(at: place) }
    entries.append((message, language))
    if entries.count > capacity { entries.removeFirst() }
    return place != nil
  }
}

@Suite struct TranslationCacheTests {
  @Test func theSameMessageAndLanguageIsAHitAndAnythingElseAMiss() {
    var cache = TranslationCache(capacity: 10)
    #expect(cache.hitShare == nil)
    #expect(!cache.request(message: 1, language: .spanish).isHit)
    #expect(cache.request(message: 1, language: .spanish).isHit)
    #expect(!cache.request(message: 1, language: .portuguese).isHit)
    #expect(!cache.request(message: 2, language: .spanish).isHit)
    #expect(cache.hits == 1 && cache.misses == 3 && cache.count == 3)
    #expect(cache.hitShare == 2_500)
  }

  @Test func theLeastRecentlyUsedEntryGivesWayAndItsSlotIsUsedAgain() {
    var cache = TranslationCache(capacity: 2)
    let first = cache.request(message: 1, language: .english).slot
    let second = cache.request(message: 2, language: .english).slot
    let again = cache.request(message: 1, language: .english)
    #expect(again.isHit && again.slot == first)
    let third = cache.request(message: 3, language: .english)
    #expect(!third.isHit && third.slot == second)
    #expect(cache.request(message: 1, language: .english).isHit)
    #expect(!cache.request(message: 2, language: .english).isHit)
    #expect(cache.count == 2)
  }

  @Test("A plain list in order of use agrees", arguments: [1, 2, 3, 17, 100])
  func agreesWithAPlainList(capacity: Int) {
    var cache = TranslationCache(capacity: capacity)
    var plain = PlainCache(capacity: capacity)
    var slots: [Int: String] = [:]
    var state: UInt64 = 0x9E37_79B9
    var hits: Int64 = 0
    for step in 0..<4_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let message = Int64(state >> 33) % 40
      let language = Language.allCases[Int(state >> 60) % 3]
      let lookup = cache.request(message: message, language: language)
      let expected = plain.request(message, language)
      #expect(lookup.isHit == expected, "step \(step)")
      #expect((0..<capacity).contains(lookup.slot))
      // The slot holds what was put there: no other entry has taken it meanwhile.
      let text = "\(message) \(language)"
      if lookup.isHit { #expect(slots[lookup.slot] == text, "step \(step)") }
      slots[lookup.slot] = text
      hits += expected ? 1 : 0
      #expect(cache.count == plain.entries.count)
    }
    #expect(cache.hits == hits && cache.misses == 4_000 - hits)
    #expect(hits > 0, "a run without a hit shows nothing")
  }
}
