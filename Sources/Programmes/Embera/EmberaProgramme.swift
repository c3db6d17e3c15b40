/// EMBERA: members of a roastery order coffee, earn points, climb tiers and redeem offers.
package enum EmberaProgramme {
  /// As `programme:` in a scenario names it.
  package static let id = "embera"
  /// As people read it.
  package static let name = "EMBERA"
}
