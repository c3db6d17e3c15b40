// Goal: what the system says of a file is said in its words, whatever shape Foundation gives an error.
// Method: a device that is always full, files that cannot be there, and errors of neither kind.
import Foundation
import RunStore
import Testing

@Suite struct SystemWordsTests {
  private func words(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return SystemWords.of(error) }
  }

  @Test func aFullDiskIsSaidToBeFull() throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    #expect(words { try full.write(contentsOf: Data(count: 10)) } == "No space left on device")
  }

  @Test func whatIsMissingOrInTheWayIsSaidAsTheSystemSaysIt() {
    let (missing, file) = ("/proc/nowhere/x", "/dev/null/x")
    #expect(
      words { try Data().write(to: URL(fileURLWithPath: missing)) } == "No such file or directory")
    #expect(
      words { _ = try Data(contentsOf: URL(fileURLWithPath: missing)) }
        == "No such file or directory")
    #expect(words { try Data().write(to: URL(fileURLWithPath: file)) } == "Not a directory")
    #expect(words { throw POSIXError(.EMFILE) } == "Too many open files")
  }

  @Test func otherErrorsSayWhatTheySay() {
    struct Odd: Error, CustomStringConvertible { let description = "odd" }
    #expect(words { throw Odd() } == "odd")
  }
}
