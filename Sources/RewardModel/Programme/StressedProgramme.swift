package import Quantities

/// A program whose rules answer requests one by one, so that they can be put under load.
package protocol StressedProgramme: RewardProgramme {
  /// The rules with the requests that are committed to them.
  associatedtype Engine: StressedEngine

  /// Simulates a scenario and keeps the requests that its own members made.
  ///
  /// - Parameters:
  ///   - frame: Name, seed, calendar and lookahead of the run.
  ///   - settings: Checked by a scenario.
  ///   - threads: 1 or more; the requests do not depend on it.
  ///   - limit: At most so many requests are kept, the first ones; 1 or more.
  ///   - proceed: Asked after each window; false ends the simulation there.
  /// - Returns: An engine to which nothing has been committed.
  /// - Throws: What `simulate` throws.
  static func engine(
    _ frame: RunFrame, _ settings: Settings, threads: Int, limit: Int,
    proceed: (RunProgress) -> Bool
  ) throws -> Engine
}

/// The rules of a scenario, and requests in the order in which they are committed to them.
///
/// It is a value: each copy of an engine to which nothing was committed starts from the beginning.
package protocol StressedEngine: Sendable {
  /// Names of the kinds of request, in snake case.
  static var kinds: [String] { get }
  /// What accepted requests are counted in, in the plural.
  static var counted: String { get }

  /// How many requests there are.
  var count: Int { get }
  /// The instant of the last request; nil without requests.
  var end: Instant? { get }

  /// The kind of a request, as an index into `kinds`.
  ///
  /// - Parameter place: 0 ..< `count`.
  func kind(at place: Int) -> Int

  /// Commits one request. Places are committed in ascending order from 0 on.
  ///
  /// - Parameter place: 0 ..< `count`.
  /// - Throws: Where the rules cannot go on; the engine is then of no further use.
  mutating func commit(_ place: Int) throws -> StressAnswer

  /// Checks what must always hold of a program.
  ///
  /// - Throws: `Violation` with the first invariant that is broken.
  func check() throws

  /// What the requests have made of the program, as it is saved.
  var state: any Encodable { get }
}

/// What became of a request under load.
package enum StressAnswer: UInt8, Sendable, CaseIterable {
  /// It is one of those that the program's speed is told in, and the rules accepted it.
  case accepted
  /// It changed the program, or asked something of it, in another way.
  case done
  /// The rules refused it, as they should.
  case refused
}
