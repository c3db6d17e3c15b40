import BlakJaks
// Goal: clients reconnect, keep alive and page as the brief says.
// Method: the brief's figures by hand; bounds of the spread; pages against stepping through items.
import Quantities
import Testing

@Suite struct ReconnectTests {
  @Test func reconnectionsWaitTwiceAsLongEachTimeUpTo32Seconds() {
    let waits = (1...8).map { ReconnectRule.delay(beforeAttempt: $0) }
    #expect(waits == [2, 4, 8, 16, 32, 32, 32, 32].map { TimeSpan.seconds($0) })
    #expect(ReconnectRule.delay(beforeAttempt: .max) == .seconds(32))
  }

  @Test func keepAlivesAreSpreadFrom30To60Seconds() {
    #expect(ReconnectRule.keepAlive(word: 0) == .seconds(30))
    #expect(ReconnectRule.keepAlive(word: .max) == .seconds(60))
    #expect(ReconnectRule.keepAlive(word: 1 << 31) == .seconds(45))
    var last = TimeSpan.seconds(0)
    for word in stride(from: UInt32(0), to: .max, by: 1 << 24) {
      let span = ReconnectRule.keepAlive(word: word)
      #expect(span > last && ReconnectRule.keepAlive.contains(span))
      last = span
    }
  }

  @Test("Pages of 20 hold each item once", arguments: [0, 1, 19, 20, 21, 40, 41])
  func pages(items: Int) {
    let pages = ReconnectRule.pages(items: items)
    let shown = (0..<pages).map { ReconnectRule.items(ofPage: $0, of: items) }
    #expect(shown.flatMap { Array($0) } == Array(0..<items))
    #expect(shown.allSatisfy { !$0.isEmpty && $0.count <= 20 })
    #expect(shown.dropLast().allSatisfy { $0.count == 20 })
    #expect(ReconnectRule.items(ofPage: pages, of: items).isEmpty)
    #expect(ReconnectRule.items(ofPage: .max, of: items).isEmpty)
  }
}
