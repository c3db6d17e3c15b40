internal import ArgumentParser
internal import Scenario

/// Reads several scenarios and says what is wrong with all of them at once, the same thing once.
struct InputReview {
  private var findings: [InputFinding] = []
  private var known: Set<String> = []
  private var omitted = 0
  private var kind: InputErrors.Kind?

  /// Reads one; nil where something is wrong with it.
  mutating func read<Answer>(_ body: () throws(InputErrors) -> Answer) -> Answer? {
    do {
      return try body()
    } catch {
      findings += error.findings.filter { known.insert($0.description).inserted }
      omitted = max(omitted, error.omitted)
      kind = kind ?? error.kind
      return nil
    }
  }

  /// - Throws: The exit code of the first problem, after the messages of all.
  func check() throws {
    guard let kind else { return }
    let errors = InputErrors(kind: kind, findings, omitted: omitted)
    complain(errors.description)
    throw ExitCode(errors.exitCode)
  }
}
