import Testing

@testable import Workers

@Suite struct WorkerProcessTests {
  @Test(
    "Of a worker whose output has ended it is said how it ended, or that it had to be killed",
    arguments: [
      ("exit 3", "ended with status 3"), ("exec >&-; sleep 0.1; exit 4", "ended with status 4"),
      ("kill -9 $$", "ended with signal 9"),
      ("exec >&-; exec sleep 60", "closed its output and did not end, so it was killed"),
    ])
  func end(of command: String, words: String) throws {
    let process = try WorkerProcess(command)
    var lines = process.lines()
    #expect(lines.next() == nil)
    // One that ends by itself has the time for it on a busy machine.
    #expect(process.end(within: command.contains("60") ? 0.1 : 10) == words)
  }
}
