internal import Documents
internal import EventKernel
package import Experiments
internal import Foundation
internal import RewardModel

/// Whether a program pays, as aligned text.
package enum WorthText {
  /// Where the words come from that the comparison itself does not know.
  package struct Words: Sendable {
    let scenario: String
    /// The group of settings that say how members respond.
    let response: String
    /// Of all amounts.
    let currency: String
    /// What was set for both sides.
    let set: SetWords
    /// The first pair's; nil where nobody knows.
    let seed: UInt64?

    /// The words; see the properties.
    package init(
      scenario: String, response: String, currency: String, set: SetWords = SetWords(),
      seed: UInt64? = nil
    ) {
      self.set = set
      self.seed = seed
      self.scenario = scenario
      self.response = response
      self.currency = currency
    }
  }

  /// The text ending with a line feed.
  ///
  /// - Parameter evenness: Where the program breaks even; nil where nobody asked.
  package static func text(
    _ worth: RewardWorth, _ evenness: BreakEven?, _ words: Words, folder: String, width: Int = 100,
    colour: Bool
  ) -> String {
    let about =
      "\(worth.pairs) pairs of replications with the same random numbers, in \(words.currency)"
    var lines = DisplayText.headed(heading(words), about, width: width, colour: colour) + [""]
    func wrap(_ text: String) -> [String] {
      DisplayText.wrapped(text, width: DisplayText.room(width))
    }
    lines += wrap(verdict(worth, words.currency))
    if let evenness {
      lines += wrap(BreakEvenText.sentence(evenness)) + [""]
      lines += BreakEvenText.points(evenness).lines(colour: colour)
    }
    lines += [""] + months(worth).lines(colour: colour) + [""]
    lines += wrap(rests(words))
    lines += wrap(halfWidth(worth))
    for grouping in worth.groupings {
      lines += [""] + groups(grouping, worth).lines(colour: colour)
    }
    if !worth.groupings.isEmpty { lines += [""] + wrap(groupNote) }
    if !worth.cohorts.isEmpty {
      lines += [""] + cohorts(worth).lines(colour: colour) + [""] + wrap(cohortNote(worth))
    }
    if !worth.cash.isEmpty {
      lines += [""] + cash(worth).lines(colour: colour) + [""]
      lines += wrap(cashNote(worth, words.currency))
    }
    lines += ["", "Folder     \(DisplayText.safe(folder))"]
    return lines.joined(separator: "\n") + "\n"
  }

  static func heading(_ words: Words) -> String {
    "Is \(DisplayText.safe(words.scenario)) worth it?"
  }

  /// The answer in a sentence.
  static func verdict(_ worth: RewardWorth, _ currency: String) -> String {
    let net = worth.whole.net.difference
    /// An amount with its interval; a loss is told as such, without a sign.
    func words(_ mean: Double) -> String {
      let ends = [mean - net.halfWidth, mean + net.halfWidth].map(FigureText.money)
      let interval = FigureText.spread(
        worth.whole.net, as: "95 %: \(ends[0]) to \(ends[1])")
      return "\(FigureText.money(mean)) \(currency) (\(interval))"
    }
    let text =
      switch worth.whole.net.verdict {
      case .higher: "Yes: the program adds \(words(net.mean)) more than it costs"
      case .lower: "No: the program costs \(words(-net.mean)) more than it adds"
      case .identical: "With and without rewards come to the same"
      case .notShown: "Not shown either way: what it adds less what it costs is \(words(net.mean))"
      }
    return text + ", by these assumptions."
  }

  /// What the answer rests on.
  static func rests(_ words: Words) -> String {
    "Gross profit without rewards rests on \(words.response): how much less members buy, and how many "
      + "fewer sign up, is assumed and not measured. Where nothing is set there, they do the same "
      + "without rewards."
  }

  /// What the columns of half-widths hold.
  static func halfWidth(_ worth: RewardWorth) -> String {
    let rows = worth.months + [worth.whole] + worth.groupings.flatMap(\.rows)
    return [
      "±: half-width of the mean difference with 95 %, each by itself (paired t).",
      FigureText.constant(rows.flatMap { [$0.profit, $0.cost, $0.net] }),
    ].compactMap(\.self).joined(separator: " ")
  }

  static let groupNote =
    "Cost of a group is what its members were given. What no single member was given, such as what "
    + "partners get and what is set aside, is in the whole run's cost alone."

  static func cohortNote(_ worth: RewardWorth) -> String {
    cohortWords + (worth.hasSameSignUps ? "" : otherSignUps)
  }

  private static let otherSignUps =
    " Without rewards other members sign up in a month, as fewer come and everybody after them is later: "
    + "Added compares the month with the same month, and not the same members, which the groups do."

  private static let cohortWords =
    "Each row is a month's sign-ups at the run's end. Value: gross profit less what they were given. "
    + "Added: the same, counting only the gross profit that would be missing without rewards. Pays back: "
    + "the months after which that does not fall below 0 again until the run's end; – is not yet. Of "
    + "the last months' sign-ups little has happened by then."

  static func cashNote(_ worth: RewardWorth, _ currency: String) -> String {
    let isPercentile = CashNeed.isPercentile(of: worth.pairs)
    let runs = "\(worth.pairs) runs"
    let note =
      (isPercentile
        ? "Lowest: in 5 of 100 runs the account holds less at the end of some day"
        : "Lowest: the least that the account holds at the end of a day in any of the \(runs)")
      + "; the date is the median one. Put in: with it, each morning's transfers cover what is owed and its network fees in "
      + (isPercentile
        ? "95 of 100 runs."
        : "each of the \(runs), which are too few to tell it of 95 in 100.")
      + " Short in: the runs in which money was lacking, and in parentheses what share of many runs "
      + "that may be, with 95 %."
    let needs = worth.cash.flatMap { account in
      account.months.filter { $0.putIn > 0 }.map { (account.title, $0) }
    }
    guard !needs.isEmpty else { return note + " Nothing has to be put in." }
    let words = needs.map { title, month in
      "\(FigureText.money(month.putIn)) \(currency) into the \(title) for \(month.label)"
    }
    return note + " When: " + words.joined(separator: "; ") + "."
  }

  // MARK: - Tables

  private static func months(_ worth: RewardWorth) -> TextTable {
    var table = TextTable([
      ("", .left), ("Gross profit", .right), ("without rewards", .right), ("added", .right),
      ("±", .right), ("Cost", .right), ("±", .right), ("Net", .right), ("±", .right),
    ])
    for row in worth.months + [worth.whole] {
      let style: TextStyle = row.label == worth.whole.label ? .bold : .plain
      table.add(([row.label] + amounts(row)).map { TextTable.Cell($0, style) })
    }
    return table
  }

  /// Gross profit with and without rewards, then what is added, the cost, and the net, each with its
  /// half-width.
  static func amounts(_ row: RewardWorth.Row) -> [String] {
    [row.profit.variantMean, row.profit.baselineMean].map(FigureText.money)
      + [row.profit, row.cost, row.net].flatMap {
        [
          FigureText.money($0.difference.mean),
          FigureText.spread($0, as: FigureText.money($0.difference.halfWidth)),
        ]
      }
  }

  private static func groups(_ grouping: RewardWorth.Grouping, _ worth: RewardWorth) -> TextTable {
    var table = TextTable([
      (grouping.title, .left), ("Members", .right), ("Gross profit", .right),
      ("without rewards", .right), ("added", .right), ("±", .right), ("Cost", .right),
      ("±", .right), ("Net", .right), ("±", .right),
    ])
    for row in grouping.rows {
      table.add(
        ([row.label, WorthWords.count(row.members ?? 0)] + amounts(row)).map { TextTable.Cell($0) })
    }
    return table
  }

  private static func cohorts(_ worth: RewardWorth) -> TextTable {
    var table = TextTable(
      WorthWords.cohortTitles(worth).enumerated().map { ($1, $0 == 0 ? .left : .right) })
    for cohort in worth.cohorts {
      table.add(WorthWords.cohortCells(cohort).map { TextTable.Cell($0) })
    }
    return table
  }

  private static func cash(_ worth: RewardWorth) -> TextTable {
    var table = TextTable(
      WorthWords.cashTitles(worth).enumerated().map { ($1, $0 == 0 || $0 == 4 ? .left : .right) })
    for account in worth.cash {
      table.add(WorthWords.cashCells(account).map { TextTable.Cell($0) })
    }
    return table
  }
}
