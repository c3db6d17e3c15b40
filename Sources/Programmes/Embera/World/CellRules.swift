internal import Population
internal import Quantities

/// What the house sends to the cells at a window's start.
struct CellBroadcast: Sendable {
  /// Number of the window's month.
  var month: Int32
  /// Share of points expected to be redeemed.
  var share: BasisPoints
}

/// What all cells of a run share and nobody changes.
final class CellRules: Sendable {
  let rules: EmberaRules
  let model: VisitModel
  let season: SeasonTable
  let calendar: ProgrammeCalendar
  /// Whether cells write a journal.
  let journals: Bool

  init(
    _ rules: EmberaRules, _ model: VisitModel, _ season: SeasonTable,
    _ calendar: ProgrammeCalendar, journals: Bool
  ) {
    self.rules = rules
    self.model = model
    self.season = season
    self.calendar = calendar
    self.journals = journals
  }
}
