import BlakJaks
// Goal: no text, however broken, stops the process or loads with something else than was read.
// Method: seeded mutations of whole files; what loads has to survive its own round trip.
import RewardModel
import Scenario
import TestSupport
import Testing

/// A small generator of its own, so that cases do not change with the standard library.
private struct Luck {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  mutating func mutated(_ bytes: [UInt8], with pieces: [String]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...next(3) {
      let at = next(bytes.count)
      switch next(4) {
      case 0: bytes[at] = UInt8(next(256))
      case 1: bytes.remove(at: at)
      case 2: bytes.insert(contentsOf: Array(pieces[next(pieces.count)].utf8), at: at)
      default:
        let end = min(bytes.count, at + next(40))
        bytes.replaceSubrange(at..<end, with: Array(bytes[at..<end].reversed()))
      }
    }
    return bytes
  }
}

@Suite struct MutationTests {
  @Test("A mutated scenario is refused with a place or loads whole", arguments: UInt64(0)..<16)
  func scenarios(seed: UInt64) throws {
    var luck = Luck(state: seed)
    let whole = Array(try Scenario.load(text: "name: a\n", file: "t.yaml").yaml.utf8)
    let pieces = [
      "\n", "- ", ": ", "{", "[", "'", "\"", "#", "&a ", "*a", "null", "9e300", "-1", " %", "\t",
      "0.00000001", "99999999999999999999", "\r\n", "|", "seed: 1\n", "\u{2028}", "? ",
    ]
    var (loaded, refused) = (0, 0)
    for _ in 0..<25 {
      let bytes = luck.mutated(whole, with: pieces)
      do throws(InputErrors) {
        let scenario = try Scenario.load(bytes: bytes, file: "t.yaml")
        let again = try Scenario.load(text: scenario.yaml, file: "again.yaml")
        #expect(again.canonicalText == scenario.canonicalText)
        loaded += 1
      } catch {
        #expect(error.findings.allSatisfy { $0.source == "t.yaml" && $0.line > 0 })
        refused += 1
      }
    }
    #expect(loaded > 0 && refused > 0, "\(loaded) loaded and \(refused) did not")
  }

  @Test("A mutated history is refused with a line or read whole", arguments: UInt64(0)..<16)
  func histories(seed: UInt64) throws {
    var luck = Luck(state: seed)
    let whole = Array(
      """
      time,member,event,tins,other
      2026-01-01,a,signup,,
      2026-01-01T10:00:00Z,a,purchase,5,
      2026-01-02T10:00:00.5-05:00,"b, c",scan,2,
      2026-01-03,a,refer,,"b, c"

      """.utf8)
    let pieces = ["\n", ",", "\"", "\r", "\r\n", "scan", "2026-01-01", "\0", "9999999999", "\"\""]
    var (loaded, refused) = (0, 0)
    // Longer where luck breaks all of so short a text.
    for round in 0..<1_000 where round < 100 || loaded == 0 {
      let bytes = luck.mutated(whole, with: pieces)
      do throws(InputErrors) {
        let history = try History.read(bytes: bytes, file: "t.csv", zone: "America/New_York")
        #expect(history.rows.count >= 1)
        #expect(history.rows.allSatisfy { Int($0.member) < history.members.count })
        #expect(zip(history.rows, history.rows.dropFirst()).allSatisfy { $0.instant <= $1.instant })
        loaded += 1
      } catch {
        #expect(!error.findings.isEmpty && error.exitCode == 65)
        refused += 1
      }
    }
    #expect(loaded > 0 && refused > 0, "\(loaded) were read and \(refused) were not")
  }
}
