internal import Foundation
package import Quantities

/// Whether the checkpoints of a run are whole.
package struct CheckpointAudit {
  /// How many there are.
  package var count: Int { numbers.count }
  /// What is wrong, in words; a run goes on all the same where `resumesAt` is not nil.
  package let problems: [String]
  /// Where the run would go on; nil where no checkpoint is whole.
  package var resumesAt: Instant? { latest?.file.header.instant }

  let numbers: [Int]
  /// Of these, those that are damaged.
  let damaged: [Int]
  /// The last one that is whole, with its name.
  let latest: (name: String, file: CheckpointFile)?

  /// Reads all checkpoints of a run.
  ///
  /// - Parameter run: The run folder, or that of the checkpoints.
  /// - Complexity: O(bytes).
  package init(_ run: String) {
    let path = CheckpointFolder.path(of: run)
    numbers = CheckpointFolder.numbers(path)
    var problems: [String] = []
    var whole: [(name: String, file: CheckpointFile)] = []
    var damaged: [Int] = []
    for number in numbers {
      let name = CheckpointFolder.name(number)
      if let file = CheckpointFile("\(path)/\(name)") {
        whole.append((name, file))
      } else {
        problems.append("\(name) is damaged")
        damaged.append(number)
      }
    }
    self.damaged = damaged
    if numbers.isEmpty {
      problems.append("the run stopped before its first checkpoint was written")
    }
    // Files that somebody put together from several folders would go on as one run of them.
    let runs = whole.map(\.file.header.run)
    if let first = runs.first, runs.contains(where: { $0 != first }) {
      problems.append("its checkpoints are of different runs")
      latest = nil
    } else {
      latest = whole.last
    }
    self.problems = problems
  }
}
