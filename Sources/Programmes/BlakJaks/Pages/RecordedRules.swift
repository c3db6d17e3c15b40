internal import Quantities
internal import RewardModel

extension ProgrammeRules {
  /// The rules of a run as the settings in its record say them. What is not there has its default.
  init(recordedIn record: BlakJaksRecord) {
    self.init(
      BlakJaksSettings(recorded: record.settings), prizes: record.prizes.map(\.prize))
  }

  /// The rules of settings as a record has them, which has prizes in a table of their own.
  init(_ settings: BlakJaksSettings, prizes: [Prize]) {
    self = settings.rules
    self.prizes = prizes
  }
}

extension BlakJaksRecord {
  /// The rules of the run; of a record that was read back, as its settings say them.
  var rulesInForce: ProgrammeRules { rules ?? ProgrammeRules(recordedIn: self) }

  /// What a line of the payout ledger was for: found by its id.
  ///
  /// - Returns: Nil for a line that this version does not know.
  func type(of row: PayoutRow) -> PayoutType? {
    let prizes = prizes.map(\.prize)
    return PayoutType.all(prizes).first { $0.id(prizes) == row.type }
  }

  /// What people call a line of the payout ledger under the rules in force.
  func label(of row: PayoutRow, _ rules: ProgrammeRules) -> String {
    type(of: row)?.label(rules) ?? row.type
  }
}
