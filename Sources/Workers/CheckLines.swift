package import Foundation

/// The lines by which `pitboss check` speaks with a worker: it gives one case after another.
package enum CheckLines {
  /// What a worker said.
  package enum Reply: Equatable, Sendable {
    /// It is of this build and waits for cases.
    case ready
    /// What became of a case.
    case checked(String)
    /// It still works.
    case alive
    /// It cannot be used; why, for people.
    case unusable(String)
  }

  /// A case as a line.
  package static func line(_ one: String) -> Data {
    WorkerLines.line(WorkerInput(check: one))
  }

  /// Reads a line of a worker.
  package static func reply(_ line: Data) -> Reply {
    let message = try? JSONDecoder().decode(WorkerOutput.self, from: line)
    if let hello = message?.hello { return hello.refusal.map { .unusable($0) } ?? .ready }
    if let checked = message?.checked { return .checked(checked) }
    if message?.alive == true { return .alive }
    if let error = message?.error { return .unusable("did not understand a case: \(error)") }
    return .unusable(WorkerOutput.nonsense(line))
  }
}
