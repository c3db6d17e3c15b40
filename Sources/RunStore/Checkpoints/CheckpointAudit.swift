internal import Foundation
package import Quantities

/// Whether the checkpoints of a run are whole.
package struct CheckpointAudit {
  /// How many there are.
  package var count: Int { numbers.count }
  /// What is wrong, in words; a run goes on all the same where `resumesAt` is not nil.
  package let problems: [String]
  /// Where the run would go on; nil where no checkpoint is whole.
  package var resumesAt: Instant? { latest?.header.instant }

  let numbers: [Int]
  /// The last one that is whole.
  let latest: CheckpointFile?

  /// Reads all checkpoints of a run.
  ///
  /// - Parameter run: The run folder, or that of the checkpoints.
  /// - Complexity: O(bytes).
  package init(_ run: String) {
    let path = CheckpointFolder.path(of: run)
    numbers = CheckpointFolder.numbers(path)
    var problems: [String] = []
    var whole: [CheckpointFile] = []
    for number in numbers {
      if let file = CheckpointFile("\(path)/\(CheckpointFolder.name(number))") {
        whole.append(file)
      } else {
        problems.append("\(CheckpointFolder.name(number)) is damaged")
      }
    }
    if numbers.isEmpty {
      problems.append("the run stopped before its first checkpoint was written")
    }
    // Files that somebody put together from several folders would go on as one run of them.
    if let first = whole.first, whole.contains(where: { $0.header.run != first.header.run }) {
      problems.append("its checkpoints are of different runs")
      latest = nil
    } else {
      latest = whole.last
    }
    self.problems = problems
  }
}
