// Goal: the studio starts, says where it is, and ends well; what is wrong is said before it starts.
// Method: the real program as a process, asked over loopback and interrupted.
import AsyncHTTPClient
import Foundation
import NIOCore
import TestSupport
import Testing

@Suite(.tags(.slow)) struct StudioCommandTests {
  /// Starts a studio, asks for its settings and interrupts it.
  private func settings(
    _ arguments: [String], in bench: Workbench
  ) async throws -> (name: String, code: Int32, errors: String) {
    let process = bench.process(["studio"] + arguments)
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var said = ""
    while !said.contains("Ctrl-C") {
      let more = pipe.fileHandleForReading.availableData
      try #require(!more.isEmpty, "it ended: \(said)")
      said += String(decoding: more, as: UTF8.self)
    }
    let line = try #require(
      said.split(separator: "\n").first { $0.hasPrefix("Open http://127.0.0.1:") })
    let address = line.dropFirst("Open ".count)
    let request = HTTPClientRequest(url: String(address))
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
    let page = String(buffer: try await response.body.collect(upTo: 1 << 20))
    process.interrupt()
    process.waitUntilExit()
    let name = page.firstMatch(of: /<span id="name">(.*?)<\/span>/)?.output.1 ?? ""
    return (String(name), process.terminationStatus, said)
  }

  @Test("It prints its address, answers who has it, and ends with 0 on Ctrl-C")
  func starts() async throws {
    let bench = try Workbench()
    try bench.write("mine.yaml", "name: mine\npopulation: {members: 100}\n")
    let ended = try await settings(["mine.yaml"], in: bench)
    #expect(ended.name == "mine" && ended.code == 0, "\(ended.errors)")
    #expect(try bench.names() == ["mine.yaml"])
  }

  @Test("Without a scenario it begins with launch-year, or with all defaults")
  func begins() async throws {
    let bench = try Workbench()
    let few = ["--set", "population.members=100", "--replications", "2"]
    #expect(try await settings(few, in: bench).name == "studio")
    try FileManager.default.createDirectory(
      at: bench.folder.appending(path: "Scenarios"), withIntermediateDirectories: false)
    try bench.write("Scenarios/launch-year.yaml", "name: the usual\n")
    #expect(try await settings(few, in: bench).name == "the usual")
  }

  @Test("What is wrong is said, with its exit code, and nothing is served")
  func refuses() throws {
    let bench = try Workbench()
    try bench.write("bad.yaml", "name: bad\nseed: many\n")
    try bench.write("huge.yaml", "name: huge\npopulation: {members: 5000000}\n")
    let bad = try bench.run("studio", "bad.yaml")
    #expect(bad.code == 65 && bad.errors.contains("bad.yaml:2:7: seed"))
    let huge = try bench.run("studio", "huge.yaml")
    #expect(huge.code == 65 && huge.errors.contains("at most 2000000 members"))
    #expect(try bench.run("studio", "none.yaml").code == 74)
    #expect(try bench.run("studio", "--port", "99999").code == 64)
    #expect(try bench.run("studio", "--replications", "1").code == 64)
    #expect(try bench.run("studio", "--threads", "0").code == 64)
    for run in [bad, huge] { #expect(!run.errors.contains("http://")) }
  }
}
