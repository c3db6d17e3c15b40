package import RewardModel

/// The scenario chosen among several by the mean of a figure, with a stated probability of being
/// right: see `RankingSelection`.
package struct ScenarioChoice: Sendable {
  /// What people call the scenarios, in the order in which they were given.
  package let names: [String]
  package let figure: FigureDescription
  package let goal: RankingSelection.Goal
  /// Smallest difference worth detecting, in the figure's unit.
  package let indifference: Double
  /// Probability of a correct selection.
  package let level: Double
  package let selection: RankingSelection.Selection

  /// Runs a selection to its end.
  ///
  /// - Parameters:
  ///   - names: One a system of the procedure.
  ///   - figure: Whose mean decides.
  ///   - procedure: As it begins.
  ///   - evaluate: One row a system asked for, in that order, one value a replication; nil where it
  ///     has none.
  /// - Throws: `StatisticsError`, and what `evaluate` throws.
  package init(
    names: [String], figure: FigureDescription, _ procedure: RankingSelection,
    evaluate: (RankingSelection.Request) throws -> [[Double?]]
  ) throws {
    guard names.count == procedure.systems else {
      throw StatisticsError.lengths(
        name: "names", count: names.count, needed: procedure.systems)
    }
    var procedure = procedure
    while let request = procedure.request { try procedure.supply(try evaluate(request)) }
    // Without a request there is a selection.
    guard let selection = procedure.selection else { throw StatisticsError.nothingAsked }
    self.names = names
    self.figure = figure
    self.selection = selection
    goal = procedure.goal
    indifference = procedure.indifference
    level = procedure.level
  }

  /// The name of what was chosen.
  package var best: String { names[selection.best] }

  /// The systems, the best first, by how far they are behind it where both were run.
  package var ranking: [Int] {
    names.indices.sorted { one, other in
      if (one == selection.best) != (other == selection.best) { return one == selection.best }
      return (selection.behind[one], one) < (selection.behind[other], other)
    }
  }
}
