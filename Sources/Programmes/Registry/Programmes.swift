internal import BlakJaks
internal import Embera
package import RewardModel

/// The reward programs that scenarios can name: one line each.
package enum Programmes {
  /// The first is the one of a scenario that names none.
  package static let all: [any RewardProgramme.Type] = [
    BlakJaksProgramme.self, EmberaProgramme.self,
  ]

  /// Their ids.
  package static let ids = all.map { $0.id }

  /// The program with an id.
  package static func named(_ id: String) -> (any RewardProgramme.Type)? {
    all.first { $0.id == id }
  }
}
