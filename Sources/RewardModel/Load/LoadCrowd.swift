package import Quantities

/// A program whose simulated members can act on a real service.
package protocol LoadedProgramme: RewardProgramme {
  associatedtype Crowd: LoadCrowd

  /// The members of a scenario before any of them has acted.
  ///
  /// - Throws: What `simulate` throws before its first window.
  static func crowd(_ frame: RunFrame, _ settings: Settings) throws -> Crowd

  /// How the program's own service is called, in the form of an `--api` file.
  static var serviceMap: String { get }
}

/// The members of a scenario as clients of a service: they intend, the service answers.
///
/// The behavior is that of the simulated world: the same draws, keyed by seed, purpose, member and
/// index. It is a value: a copy that is asked the same way goes the same way.
package protocol LoadCrowd: Sendable {
  associatedtype Session: LoadSession

  /// What members come for, in snake case.
  static var journeys: [String] { get }
  /// The requests that they make.
  static var steps: [LoadStepShape] { get }
  /// How somebody becomes a member; nil where all members are there before a load.
  static var joining: LoadJoining? { get }
  /// Journeys that only follow from another one, and that one: indexes into `journeys`.
  static var origins: [Int: Int] { get }
  /// Journeys that nobody makes in this scenario, whenever a load begins: indexes into `journeys`.
  var absent: Set<Int> { get }

  /// What comes next in simulated time; nil after the scenario's last day.
  ///
  /// - Returns: Sessions in ascending order of their instants.
  mutating func next() -> Session?

  /// The first step of a session, or what follows an answer.
  ///
  /// - Parameters:
  ///   - answer: To the step before; nil for the first.
  ///   - supply: Of what a service hands out beforehand.
  /// - Returns: Nil at the session's end.
  mutating func step(
    _ session: inout Session, after answer: LoadAnswer?, _ supply: inout some LoadSupply
  ) -> LoadStep?
}

extension LoadCrowd {
  package static var origins: [Int: Int] { [:] }
  package var absent: Set<Int> { [] }
}

/// How somebody becomes a member of a service.
package struct LoadJoining: Sendable {
  /// An index into `LoadCrowd.journeys`. Its sessions make an account: of their answers `token` is
  /// what the member acts with from then on, `name` is how others name the member.
  package var journey: Int
  /// Indexes into `LoadCrowd.steps`: all that it takes.
  package var steps: [Int]

  /// A way to join; see the properties.
  package init(journey: Int, steps: [Int]) {
    self.journey = journey
    self.steps = steps
  }
}

/// Somebody comes to do something: a few steps, each after the answer to the one before.
package protocol LoadSession: Sendable {
  /// When it starts, in simulated time.
  var time: Instant { get }
  var member: UInt32 { get }
  /// An index into `LoadCrowd.journeys`.
  var journey: Int { get }
  /// Whether its member acts with an account; those who run the program act without.
  var needsAccount: Bool { get }
}

extension LoadSession {
  package var needsAccount: Bool { true }
}

/// A kind of request that members make.
package struct LoadStepShape: Sendable {
  /// In snake case.
  package var name: String
  /// What a request of it tells, by name.
  package var variables: [String]
  /// What members want to know of an answer, by name.
  package var takes: [String]
  /// Whether it changes the service, so that repeating it needs a key.
  package var changes: Bool

  /// A kind of request; see the properties.
  package init(
    _ name: String, _ variables: [String] = [], takes: [String] = [], changes: Bool = false
  ) {
    self.name = name
    self.variables = variables
    self.takes = takes
    self.changes = changes
  }
}

/// A request that a member makes.
package struct LoadStep: Sendable, Equatable {
  /// An index into `LoadCrowd.steps`.
  package var shape: Int
  /// In the order of the shape's variables.
  package var values: [String]

  /// A request; see the properties.
  package init(_ shape: Int, _ values: [String] = []) {
    self.shape = shape
    self.values = values
  }
}

/// What a member hears.
package struct LoadAnswer: Sendable {
  /// How a step ended.
  package enum Outcome: Sendable {
    case done
    /// By a rule of the program, as it should be.
    case refused
    /// Whatever was tried.
    case failed
  }

  package var outcome: Outcome
  /// In the order of the shape's takes; nil where the answer did not say.
  package var values: [String?]

  /// An answer; see the properties.
  package init(_ outcome: Outcome, _ values: [String?] = []) {
    self.outcome = outcome
    self.values = values
  }
}

/// What a service hands out beforehand, for members to use.
package protocol LoadSupply {
  /// The code of a tin, card or receipt that nobody has used.
  mutating func code() -> String
  /// How the service names a member, as somebody writes it who was referred by that member; empty
  /// where it is not known.
  mutating func name(of member: UInt32) -> String
}
