/// The typed values of everything that a BlakJaks scenario can set.
package struct BlakJaksSettings: Sendable, Equatable {
  package var rules = ProgrammeRules()
  package var population = PopulationSettings()
  package var faults = FaultSettings()

  /// The defaults.
  package init() {}
}
