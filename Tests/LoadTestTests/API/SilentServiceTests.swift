// Goal: a service that takes connections and never answers is told so after one attempt.
// Method: a socket that listens, of which nobody reads: the system takes connections for it, and how many
// wait says how often somebody tried.
import Foundation
import LoadTest
import TestSupport
import Testing

@Suite struct SilentServiceTests {
  /// A socket on loopback of which nobody reads.
  private final class Silence {
    let descriptor: Int32
    let port: UInt16

    init() throws { (descriptor, port) = try Loopback.listen(waiting: 16, blocks: false) }

    deinit { close(descriptor) }

    /// Connections that nobody took yet.
    func waiting() -> Int {
      var count = 0
      while true {
        let one = accept(descriptor, nil, nil)
        guard one >= 0 else { return count }
        count += 1
        close(one)
      }
    }
  }

  @Test("It is asked once, and named")
  func once() throws {
    let silence = try Silence()
    let map = try ServiceMap(
      "members: {read: {get: \"/people\", take: /keys}}\nsteps: {scan: {get: /}}\n", file: "x",
      steps: StampCrowd.steps, fixed: [:])
    let members = try #require(map.members)
    #expect {
      var setup = try LoadSetup(
        try TargetURL("http://127.0.0.1:\(silence.port)", allowed: []), timeout: 0.5)
      _ = try setup.texts(members, count: 3, "members")
    } throws: {
      "\($0)" == "members: 127.0.0.1:\(silence.port) gives no answer (timeout)"
    }
    // Once to see whether anybody is there, and once to ask.
    #expect(silence.waiting() == 2)
  }
}
