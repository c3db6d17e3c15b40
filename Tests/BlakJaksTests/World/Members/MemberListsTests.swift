// Goal: lists that share one array of links keep what they are given, in its order.
// Method: a dictionary of arrays beside them, over random operations.
import EventKernel
import Testing

@testable import BlakJaks

@Suite struct MemberListsTests {
  @Test("Lists are those of a dictionary of arrays", arguments: UInt64(1)...8)
  func secondOpinion(seed: UInt64) {
    let members = 40
    var lists = MemberLists<Int32>(members: members)
    var plain = [[Int32]](repeating: [], count: members)
    var stream = RandomStream(seed: seed, purpose: 90, entity: 1)
    var removed = 0
    for step in 0..<3_000 {
      // Some members have long lists, most have none.
      let drawn = Int(stream.uniformIndex(below: UInt64(members)))
      let member = drawn * drawn / members
      let value = Int32(stream.uniformIndex(below: 6))
      if stream.uniform() < 0.52 {
        lists.add(value, to: member)
        plain[member].append(value)
      } else {
        let place = plain[member].firstIndex(of: value)
        let expected = place.map { plain[member].remove(at: $0) }
        var stayed: [Int32] = []
        let found = lists.remove(of: member) {
          $0 == value
        } _: {
          stayed.append($0)
        }
        #expect(found == expected, "seed \(seed), step \(step)")
        #expect(stayed.sorted() == plain[member].sorted(), "seed \(seed), step \(step)")
        removed += expected == nil ? 0 : 1
      }
      lists.askForFirst(of: member)
      lists.askForSecond(of: member)
      #expect(lists.elements(of: member) == plain[member], "seed \(seed), step \(step)")
    }
    #expect(lists.all == plain.flatMap { $0 })
    #expect(removed > 300, "sometimes: elements are found")
  }

  @Test func whatIsSavedIsRestoredInItsOrder() {
    let saved: [Int32] = [30, 31, 10, 32, 11, 99]
    let lists = MemberLists(saved, members: 5) { Int($0) / 10 }
    #expect(lists.all == [10, 11, 30, 31, 32], "who is no member has no list")
  }
}
