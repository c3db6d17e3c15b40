import Foundation
import Testing

/// Serves the scenario `small.yaml` of a workbench for the time of a test.
final class Served {
  let process: Process
  /// What it is reached at.
  let address: String

  init(_ bench: Workbench, data: String = "data", _ flags: [String] = []) throws {
    process = bench.process(
      ["serve", "small.yaml", "--data", data, "--port", "0", "--rate", "10000"] + flags)
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    var text = ""
    while !text.contains("Ctrl-C") {
      let more = errors.fileHandleForReading.availableData
      if more.isEmpty { break }
      text += String(decoding: more, as: UTF8.self)
    }
    address = text.split(separator: " ").first { $0.hasPrefix("http") }.map(String.init) ?? text
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  deinit { stop() }
}

/// A load, tried a few times, as a machine that is busy with other tests may not send it in time.
///
/// - Returns: The first that was sent in time; nil where none was, which is an issue.
func loadInTime(_ load: () throws -> Outcome) throws -> Outcome? {
  for _ in 0..<10 {
    let outcome = try load()
    if outcome.code != 112 { return outcome }
  }
  Issue.record("ten loads did not start their sessions in time")
  return nil
}
