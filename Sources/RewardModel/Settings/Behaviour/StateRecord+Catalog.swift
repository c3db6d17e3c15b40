extension StateRecord {
  /// The fields of a state.
  package static let catalog: [Setting<StateRecord>] = [
    .text("code", \.code, most: 2, .sourced("", "Two letters, unique among the states.")).needed,
    .integer(
      "weight", \.weight, 0...1_000_000_000_000,
      .sourced("people", "Share of members who live there, relative to the other states.")
    ).needed,
    .taxRate("tax", \.tax, .sourced("of the goods", "General sales tax rate of the state.")),
  ]
}

extension Setting {
  /// A sales tax rate, up to `most` thousandths of a percent.
  package static func taxRate(
    _ path: String, _ place: any Place<TaxRate>, most: Int64 = 50_000, _ about: About
  ) -> Setting {
    Setting(
      path, .rate(most: most), about, place, read: { .rate(thousandths: $0.thousandths) },
      write: { if case .rate(let thousandths) = $0 { TaxRate(thousandths) } else { nil } })
  }
}

extension SettingRules {
  /// The codes of states: two capital letters each, and none twice.
  ///
  /// - Parameters:
  ///   - states: The values.
  ///   - path: Of the list.
  package mutating func checkCodes(of states: [StateRecord], at path: String) {
    var first: [String: Int] = [:]
    for (index, state) in states.enumerated() {
      let place = "\(path)[\(index)].code"
      let isCode = state.code.utf8.count == 2 && state.code.utf8.allSatisfy { (65...90) ~= $0 }
      require(
        isCode, of: [path],
        blame: [(place, "'\(state.code)' is not the code of a state; write two capital letters")])
      guard let earlier = first[state.code] else {
        first[state.code] = index
        continue
      }
      require(
        false, of: [path],
        blame: [
          (
            place,
            "'\(state.code)' is the code of \(path)[\(earlier)] too; write each state once"
          )
        ])
    }
  }
}
