package import Quantities

/// What must always hold, whatever a scenario says: a name, a sentence, and how it is checked.
///
/// A programme declares each once. Every window of a run, campaigns over seeds and the audit of a
/// service check the same declarations.
package struct Invariant<Subject>: Sendable {
  /// Its name and its promise.
  package let name: InvariantName
  /// Looks at the subject and says what shows that the promise is broken; nil where it holds.
  private let broken: @Sendable (Subject) throws -> String?

  /// - Parameters:
  ///   - id: A stable name in snake case, unique within its programme.
  ///   - sentence: The promise, as people read it.
  ///   - broken: The facts that show it broken; nil where it holds. It may throw `MoneyError`
  ///     where a sum leaves its range.
  package init(
    _ id: String, _ sentence: String, broken: @escaping @Sendable (Subject) throws -> String?
  ) {
    name = InvariantName(id: id, sentence: sentence)
    self.broken = broken
  }

  /// The same promise about something that has such a subject.
  package func lifted<Whole>(
    _ subject: @escaping @Sendable (Whole) -> Subject
  ) -> Invariant<Whole> {
    Invariant<Whole>(name.id, name.sentence) { [broken] in try broken(subject($0)) }
  }

  /// Checks the promise.
  ///
  /// - Parameters:
  ///   - scenario: Its name and seed name the run in the violation.
  ///   - time: The simulated time.
  /// - Throws: `Violation` where it is broken; `MoneyError` where a sum leaves its range.
  package func check(_ subject: Subject, scenario: String, seed: UInt64, at time: Instant) throws {
    guard let facts = try broken(subject) else { return }
    throw Violation(
      invariant: name.id, facts: facts, scenario: scenario, seed: seed, time: time)
  }
}

extension Invariant {
  /// Checks promises in their order about something that is lent, so that it is not copied for each:
  /// runs check the cheap ones after every window.
  ///
  /// Parameters and errors are those of `check`. Nothing is changed.
  package static func check(
    _ all: [Invariant], of subject: inout Subject, scenario: String, seed: UInt64, at time: Instant
  ) throws {
    // By place, as a promise has words, which would be kept alive for each.
    for place in all.indices {
      guard let facts = try all[place].broken(subject) else { continue }
      throw Violation(
        invariant: all[place].name.id, facts: facts, scenario: scenario, seed: seed, time: time)
    }
  }
}

/// An invariant's name and its promise.
package struct InvariantName: Sendable, Equatable {
  /// A stable name in snake case.
  package let id: String
  /// The promise, as people read it.
  package let sentence: String

  /// - Parameter id: Unique within its programme.
  package init(id: String, sentence: String) {
    self.id = id
    self.sentence = sentence
  }
}
