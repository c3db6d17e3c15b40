internal import Foundation
package import RewardModel

/// A setting of which only a distribution is known: an entry of `uncertain`.
///
///     population.under_age ~ triangular(1 %, 2 %, 4 %)
///     population.members ~ * lognormal(1, 0.2) within 0.5 to 2
///     population.purchase.r, population.purchase.alpha ~ rows(fit.csv)
///     rules.prizes[*].every except rules.prizes[0].every ~ * uniform(1, 4)
///
/// Numbers have the unit of the setting. A `*` before the distribution makes them factors on what the
/// scenario says; `[*]` in a path stands for every entry of a list, but for those after `except`.
package struct UncertainSetting: Sendable, Equatable {
  /// A distribution with its parameters, in the unit of the setting or as factors.
  package enum Law: Sendable, Equatable {
    /// A standard deviation above 0.
    case normal(mean: Double, deviation: Double)
    /// The logarithm is normal with this standard deviation; a median and a σ above 0.
    case lognormal(median: Double, sigma: Double)
    case uniform(low: Double, high: Double)
    case triangular(low: Double, mode: Double, high: Double)
    /// A beta distribution from `low` to `high` with the mean (low + 4 mode + high) ÷ 6 (Malcolm and
    /// others 1959, doi:10.1287/opre.7.5.646).
    case pert(low: Double, mode: Double, high: Double)
    /// From 0 to 1, with shapes above 0.
    case beta(Double, Double)
    /// Shape and scale above 0; the mean is their product.
    case gamma(shape: Double, scale: Double)
    /// Values as they are written, with weights above 0.
    case discrete([Choice])
    /// One row of a CSV file, each as likely as any; its columns have the names of the paths.
    case rows(file: String)
  }

  /// One of several values.
  package struct Choice: Sendable, Equatable {
    package let value: String
    package let weight: Double
  }

  /// One path, or several that rows of a file set together.
  package let paths: [String]
  /// Settings of those paths that are certain: entries that `[*]` leaves out.
  package let except: [String]
  package let law: Law
  /// Whether numbers are factors on what the scenario says.
  package let isFactor: Bool
  /// Behind every number; may be empty.
  package let unit: String
  /// Where the distribution is cut, in the unit of its parameters.
  package let within: ClosedRange<Double>?
  /// The entry as it was written.
  package let text: String

  /// The file whose rows are drawn; nil of a distribution.
  package var file: String? {
    if case .rows(let file) = law { return file }
    return nil
  }

  /// The entry behind its `~`.
  package var lawText: String {
    text.firstIndex(of: "~").map { String(text[text.index(after: $0)...]).trimmed } ?? ""
  }

  /// What an entry looks like, in words that complete 'write …'.
  package static let wanted =
    "a path, ~ and a distribution, such as 'population.members ~ uniform(1000, 3000)'"

  /// The form of an entry in a file.
  static let form = TextForm(
    wanted: wanted,
    pattern: #"^[^~]+~ *\*? *(normal|lognormal|uniform|triangular|pert|beta|gamma|discrete|rows)"#
      + #" *\(.*\)( *within .* to .*)? *$"#,
    check: { text throws(Refusal) in _ = try UncertainSetting(text) })

  /// Reads an entry.
  ///
  /// - Throws: `Refusal` that says what is wrong.
  package init(_ text: String) throws(Refusal) {
    self.text = text
    guard let tilde = text.firstIndex(of: "~") else {
      throw Refusal("'\(text.shortened)' has no ~", "write \(Self.wanted)")
    }
    let named = text[..<tilde].components(separatedBy: " except ").map { part in
      part.split(separator: ",").map { String($0).trimmed }
    }
    let isNamed = named.allSatisfy { paths in
      !paths.isEmpty && paths.allSatisfy { !$0.isEmpty && !$0.contains(" ") }
    }
    guard isNamed, named.count <= 2 else {
      throw Refusal("'\(text.shortened)' names no setting before ~", "write \(Self.wanted)")
    }
    paths = named[0]
    except = named.count == 2 ? named[1] : []
    var rest = String(text[text.index(after: tilde)...]).trimmed
    isFactor = rest.hasPrefix("*")
    if isFactor { rest = String(rest.dropFirst()).trimmed }
    guard let open = rest.firstIndex(of: "("), let close = rest.lastIndex(of: ")"), open < close
    else {
      throw Refusal("'\(rest.shortened)' is not a distribution", "write \(Self.wanted)")
    }
    let name = String(rest[..<open]).trimmed
    let inner = String(rest[rest.index(after: open)..<close])
    let tail = String(rest[rest.index(after: close)...]).trimmed
    var reader = UncertainNumbers(inner.split(separator: ",").map { String($0).trimmed })
    law = try reader.law(name, inner)
    within = try reader.within(tail, law)
    unit = reader.unit
    if case .rows = law {
      guard !isFactor else {
        throw Refusal("rows of a file are not factors", "leave out the *")
      }
    } else if paths.count > 1 {
      throw Refusal(
        "several settings have one distribution", "give each its own entry, or rows of a file")
    }
    guard !isFactor || unit.isEmpty else {
      throw Refusal("factors have no unit", "write plain numbers after *")
    }
    if isFactor, case .discrete = law {
      throw Refusal("discrete values are not factors", "write the values themselves")
    }
  }
}

/// The numbers of an entry: all in one unit.
private struct UncertainNumbers {
  let words: [String]
  private(set) var unit = ""
  private var hasUnit = false

  init(_ words: [String]) { self.words = words }

  mutating func law(_ name: String, _ inner: String) throws(Refusal) -> UncertainSetting.Law {
    switch name {
    case "normal":
      let (mean, deviation) = (try number(0, of: 2, name), try number(1, of: 2, name))
      try above(deviation, "standard deviation")
      return .normal(mean: mean, deviation: deviation)
    case "lognormal":
      let median = try number(0, of: 2, name)
      let sigma = try plain(1, of: 2, name)
      try above(median, "median")
      try above(sigma, "σ")
      return .lognormal(median: median, sigma: sigma)
    case "uniform":
      let (low, high) = (try number(0, of: 2, name), try number(1, of: 2, name))
      try rising([low, high], strictly: true)
      return .uniform(low: low, high: high)
    case "triangular", "pert":
      let low = try number(0, of: 3, name)
      let (mode, high) = (try number(1, of: 3, name), try number(2, of: 3, name))
      try rising([low, mode, high], strictly: false)
      try rising([low, high], strictly: true)
      return name == "pert"
        ? .pert(low: low, mode: mode, high: high) : .triangular(low: low, mode: mode, high: high)
    case "beta":
      let (a, b) = (try plain(0, of: 2, name), try plain(1, of: 2, name))
      try above(a, "first shape")
      try above(b, "second shape")
      return .beta(a, b)
    case "gamma":
      let (shape, scale) = (try plain(0, of: 2, name), try number(1, of: 2, name))
      try above(shape, "shape")
      try above(scale, "scale")
      return .gamma(shape: shape, scale: scale)
    case "discrete": return .discrete(try choices())
    case "rows":
      let file = inner.trimmed
      guard !file.isEmpty else {
        throw Refusal("rows() names no file", "write rows(fit.csv)")
      }
      return .rows(file: file)
    default:
      throw Refusal(
        "'\(name.shortened)' is not a distribution",
        "write normal, lognormal, uniform, triangular, pert, beta, gamma, discrete or rows")
    }
  }

  /// Reads `within LOW to HIGH`.
  mutating func within(
    _ tail: String, _ law: UncertainSetting.Law
  ) throws(Refusal) -> ClosedRange<Double>? {
    if tail.isEmpty { return nil }
    let form = "write 'within LOW to HIGH' after the distribution, or nothing"
    guard tail.hasPrefix("within ") else {
      throw Refusal("'\(tail.shortened)' is not understood", form)
    }
    switch law {
    case .discrete, .rows:
      throw Refusal("values that are listed cannot be cut", "leave out 'within'")
    default: break
    }
    let ends = tail.dropFirst(7).components(separatedBy: " to ").map(\.trimmed)
    guard ends.count == 2 else { throw Refusal("'\(tail.shortened)' is not a range", form) }
    var bounds = Self(ends)
    bounds.unit = unit
    bounds.hasUnit = hasUnit
    let low = try bounds.number(0, of: 2, "within")
    let high = try bounds.number(1, of: 2, "within")
    unit = bounds.unit
    try rising([low, high], strictly: true)
    return low...high
  }

  private func choices() throws(Refusal) -> [UncertainSetting.Choice] {
    let form = "write each value with its weight, as in discrete(10 % = 0.2, 15 % = 0.8)"
    var choices: [UncertainSetting.Choice] = []
    for word in words {
      let parts = word.components(separatedBy: "=").map(\.trimmed)
      guard parts.count == 2, !parts[0].isEmpty, let weight = ExactDecimal(parts[1])?.double,
        weight > 0, weight <= 1e100
      else { throw Refusal("'\(word.shortened)' is not a value with its weight", form) }
      choices.append(UncertainSetting.Choice(value: parts[0], weight: weight))
    }
    guard !choices.isEmpty else { throw Refusal("discrete() has no values", form) }
    return choices
  }

  private func word(_ place: Int, of count: Int, _ name: String) throws(Refusal) -> String {
    guard words.count == count else {
      throw Refusal(
        "\(name) has \(words.count) \(words.count == 1 ? "number" : "numbers")",
        "write \(count), as in " + (Self.examples[name] ?? "within 1 to 2"))
    }
    return words[place]
  }

  private static let examples = [
    "normal": "normal(mean, standard deviation)", "lognormal": "lognormal(median, σ)",
    "uniform": "uniform(low, high)", "triangular": "triangular(low, mode, high)",
    "pert": "pert(low, mode, high)", "beta": "beta(shape, shape)", "gamma": "gamma(shape, scale)",
  ]

  /// A number in the unit of the entry, which the first such number says.
  private mutating func number(
    _ place: Int, of count: Int, _ name: String
  ) throws(Refusal) -> Double {
    let word = try word(place, of: count, name)
    let (digits, unit) = word.splitUnit
    guard let value = ExactDecimal(digits)?.double, value.isFinite else {
      throw Refusal("'\(word.shortened)' is not a number", "write a number, and its unit")
    }
    if !hasUnit {
      self.unit = unit
      hasUnit = true
    }
    guard unit == self.unit else {
      throw Refusal(
        "'\(word.shortened)' does not have the unit of the numbers before it",
        "write all numbers in one unit")
    }
    return value
  }

  /// A number without a unit: a shape, or a standard deviation of a logarithm.
  private func plain(_ place: Int, of count: Int, _ name: String) throws(Refusal) -> Double {
    let word = try word(place, of: count, name)
    guard let value = ExactDecimal(word)?.double, value.isFinite else {
      throw Refusal("'\(word.shortened)' is not a plain number", "write it without a unit")
    }
    return value
  }

  private func above(_ value: Double, _ what: String) throws(Refusal) {
    guard value > 0 else { throw Refusal("the \(what) is not above 0", "write a positive number") }
  }

  private func rising(_ values: [Double], strictly: Bool) throws(Refusal) {
    let rises = zip(values, values.dropFirst()).allSatisfy { strictly ? $0 < $1 : $0 <= $1 }
    guard rises else {
      throw Refusal("the numbers do not rise", "write the smallest first")
    }
  }
}
