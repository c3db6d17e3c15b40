internal import Documents
internal import EventKernel
package import Experiments
internal import RewardModel

/// Whether a program pays, as JSON and as rows.
package enum WorthFiles {
  /// What `pitboss worth` writes besides its page.
  package static func all(
    _ worth: RewardWorth, _ evenness: BreakEven?, _ words: WorthText.Words
  ) -> [(name: String, text: String)] {
    [
      ("worth.json", json(worth, evenness, words)), ("worth.csv", csv(worth)),
      ("groups.csv", groups(worth)), ("cohorts.csv", cohorts(worth)), ("cash.csv", cash(worth)),
    ]
  }

  /// Everything with stable keys; money in the unit of its currency.
  ///
  /// `put_in` of an account is at `cash_percentile`, and `lowest` at the opposite one; where that is
  /// null, the pairs are too few, and both are the worst of them.
  package static func json(
    _ worth: RewardWorth, _ evenness: BreakEven?, _ words: WorthText.Words
  ) -> String {
    JSONText.object([
      ("schema_version", .number("1")), words.set.json, ("scenario", .string(words.scenario)),
      ("seed", words.seed.map { .number(String($0)) } ?? .null),
      ("currency", .string(words.currency)), ("pairs", .number(String(worth.pairs))),
      (
        "settings",
        .array(
          worth.settings.map { row in
            .object([
              ("path", .string(row.path)), ("with", .string(row.first)),
              ("without", .string(row.second)),
            ])
          })
      ), ("whole", row(worth.whole)), ("months", .array(worth.months.map(row))),
      (
        "groups",
        .array(
          worth.groupings.map { grouping in
            .object([
              ("by", .string(grouping.title)), ("groups", .array(grouping.rows.map(row))),
            ])
          })
      ), ("cohorts", .array(worth.cohorts.map(cohort))), ("cash", .array(worth.cash.map(account))),
      (
        "cash_percentile",
        CashNeed.isPercentile(of: worth.pairs)
          ? .integer(Int((CashNeed.sure * 100).rounded())) : .null
      ), ("break_even", evenness.map(BreakEvenText.json) ?? .null),
    ]).rendered() + "\n"
  }

  private static func row(_ row: RewardWorth.Row) -> JSONText {
    func pair(_ pair: PairedComparison) -> JSONText {
      .object([
        ("with", ProjectionFiles.number(pair.variantMean)),
        ("without", ProjectionFiles.number(pair.baselineMean)),
        ("added", ProjectionFiles.number(pair.difference.mean)),
        (
          "half_width",
          pair.isConstant ? .null : ProjectionFiles.number(pair.difference.halfWidth)
        ),
      ])
    }
    let name =
      row.members.map { [("group", .string(row.label)), ("members", ProjectionFiles.number($0))] }
      ?? [("period", JSONText.string(row.label))]
    return .object(
      name + [
        ("gross_profit", pair(row.profit)), ("cost", pair(row.cost)), ("net", pair(row.net)),
      ])
  }

  private static func cohort(_ cohort: CohortWorth) -> JSONText {
    func months(_ age: Int?) -> JSONText { age.map { .number(String($0)) } ?? .null }
    return .object([
      ("signed_up", .string(cohort.label)), ("payback_months", months(cohort.payback(\.value))),
      ("payback_months_added", months(cohort.payback(\.addedValue))),
      (
        "months",
        .array(
          cohort.points.map { point in
            .object(
              [("month", .string(point.month)), ("age", .number(String(point.age)))]
                + zip(columns, values(point)).map { ($0, ProjectionFiles.number($1)) })
          })
      ),
    ])
  }

  private static func account(_ account: CashNeed) -> JSONText {
    .object([
      ("account", .string(account.id)), ("title", .string(account.title)),
      ("opening", ProjectionFiles.number(account.opening)),
      ("lowest", ProjectionFiles.number(account.lowest)),
      ("lowest_date", .string(account.lowestDate)),
      ("put_in", ProjectionFiles.number(account.putIn)),
      ("short_share", ProjectionFiles.number(account.short.estimate)),
      ("short_share_low", account.short.low.map(ProjectionFiles.number) ?? .null),
      ("short_share_high", account.short.high.map(ProjectionFiles.number) ?? .null),
      (
        "months",
        .array(
          account.months.map { month in
            .object([
              ("month", .string(month.label)), ("end", ProjectionFiles.number(month.end)),
              ("lowest", ProjectionFiles.number(month.lowest)),
              ("put_in", ProjectionFiles.number(month.putIn)),
            ])
          })
      ),
    ])
  }

  // MARK: - Rows

  private static let sides = ["gross_profit", "cost", "net"].flatMap {
    ["\($0)_with", "\($0)_without", "\($0)_added", "\($0)_half_width"]
  }

  private static func amounts(_ row: RewardWorth.Row) -> [String] {
    [row.profit, row.cost, row.net].flatMap { pair in
      [pair.variantMean, pair.baselineMean, pair.difference.mean].map { "\($0)" }
        + [pair.isConstant ? "" : "\(pair.difference.halfWidth)"]
    }
  }

  /// One row a month and one for the whole run.
  package static func csv(_ worth: RewardWorth) -> String {
    var text = CSVText.line(["period"] + sides)
    for row in worth.months + [worth.whole] { text += CSVText.line([row.label] + amounts(row)) }
    return text
  }

  /// One row a group of members.
  package static func groups(_ worth: RewardWorth) -> String {
    var text = CSVText.line(["by", "group", "members"] + sides)
    for grouping in worth.groupings {
      for row in grouping.rows {
        text += CSVText.line(
          [grouping.title, row.label, "\(row.members ?? 0)"] + amounts(row))
      }
    }
    return text
  }

  private static let columns = [
    "members", "living", "active", "purchases", "actions", "gross_profit", "cost", "added",
    "value", "added_value",
  ]

  private static func values(_ point: CohortWorth.Point) -> [Double] {
    [
      point.members, point.living, point.active, point.purchases, point.actions, point.profit,
      point.cost, point.added, point.value, point.addedValue,
    ]
  }

  /// One row a sign-up month and month since.
  package static func cohorts(_ worth: RewardWorth) -> String {
    var text = CSVText.line(["signed_up", "month", "age"] + columns)
    for cohort in worth.cohorts {
      for point in cohort.points {
        text += CSVText.line(
          [cohort.label, point.month, String(point.age)] + values(point).map { "\($0)" })
      }
    }
    return text
  }

  /// One row an account and month.
  package static func cash(_ worth: RewardWorth) -> String {
    var text = CSVText.line(["account", "month", "end", "lowest", "put_in"])
    for account in worth.cash {
      for month in account.months {
        text += CSVText.line(
          [account.id, month.label] + [month.end, month.lowest, month.putIn].map { "\($0)" })
      }
    }
    return text
  }
}
