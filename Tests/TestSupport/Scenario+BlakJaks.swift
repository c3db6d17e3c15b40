package import BlakJaks
internal import RewardModel
package import Scenario

/// The typed settings of a scenario of BlakJaks.
extension Scenario {
  package var blakJaks: BlakJaksSettings {
    settings(of: BlakJaksProgramme.self) ?? BlakJaksSettings()
  }

  package var rules: ProgrammeRules { blakJaks.rules }
  package var population: PopulationSettings { blakJaks.population }
  package var faults: FaultSettings { blakJaks.faults }
}
