import Foundation
import LoadTest
import Quantities
import RewardModel

/// People who come one a second of simulated time, each to have one sticker stamped and, every tenth
/// time, to try it again.
struct StampCrowd: LoadCrowd {
  struct Session: LoadSession {
    let time: Instant
    let member: UInt32
    let journey = 0
    var code = ""
    var stage = 0
    /// What the service said of the card.
    var level: String?
  }

  static let journeys = ["stamp"]
  static let steps = [LoadStepShape("scan", ["code"], takes: ["tier"], changes: true)]

  static let joining: LoadJoining? = nil

  static let start = Instant(microseconds: 0)
  var count = 0
  var tries = 10
  /// Levels that were heard of.
  private(set) var levels: Set<String> = []

  mutating func next() -> Session? {
    guard count < 1_000_000 else { return nil }
    defer { count += 1 }
    return Session(time: Self.start + .seconds(Int64(count)), member: UInt32(count % 50))
  }

  mutating func step(
    _ session: inout Session, after answer: LoadAnswer?, _ supply: inout some LoadSupply
  ) -> LoadStep? {
    if let level = answer?.values.first ?? nil { levels.insert(level) }
    defer { session.stage += 1 }
    let isSecond = session.stage == 1 && Int(session.time.microseconds / 1_000_000) % tries == 0
    guard session.stage == 0 || isSecond else { return nil }
    if session.stage == 0 { session.code = supply.code() }
    return LoadStep(0, [session.code])
  }
}
