import Foundation
import TestSupport
import Testing

/// What tests of experiments' commands have in common.
protocol ExperimentCommandSuite {}

extension ExperimentCommandSuite {
  /// A folder with a scenario of 100 members and 62 days.
  func bench() throws -> Workbench {
    let bench = try Workbench()
    try bench.write(
      "tiny.yaml", "name: tiny\npopulation: {members: 100}\ncalendar: {days: 62}\n")
    return bench
  }

  func json(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// Rows of a file by the names of its columns; no value of these files is quoted.
  func rows(_ bench: Workbench, _ file: String) throws -> [[String: String]] {
    let lines = try bench.read(file).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(lines.allSatisfy { $0.count == lines[0].count })
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }
}
