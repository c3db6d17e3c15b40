internal import Foundation

/// A condition that a load has to meet, as in `scan p(99) < 300ms for 10s`.
///
/// With `for`, it has to be met in every stretch of so many seconds, and is looked at each second; else
/// over the whole.
package struct LoadThreshold: Sendable, Equatable {
  /// What is looked at.
  package enum Metric: Sendable, Equatable {
    /// A percentile of the latency, in percent.
    case percentile(Double)
    /// The share of attempts that brought nothing, 0...1.
    case errors
    /// Answers a second.
    case rate
  }

  /// How a value is to a bound, by its sign.
  package enum Comparison: String, Sendable, CaseIterable {
    case below = "<"
    case atMost = "<="
    case above = ">"
    case atLeast = ">="
  }

  /// Why a text is no threshold.
  package struct Refusal: Error, Equatable, CustomStringConvertible {
    package var description: String
  }

  /// As it was written.
  package let text: String
  /// Whose requests; nil for all.
  package let step: String?
  package let metric: Metric
  /// How the value has to be to the bound.
  package let comparison: Comparison
  /// Nanoseconds, a share, or a second.
  package let bound: Double
  /// The stretch in seconds; nil for the whole.
  package let seconds: Int?

  /// - Parameter steps: Names of the steps that there are.
  /// - Throws: `Refusal` with what would do.
  package init(_ text: String, steps: [String]) throws(Refusal) {
    self.text = text.trimmingCharacters(in: .whitespaces)
    let form = "write one like 'scan p(99) < 300ms', 'errors < 0.1%' or 'rate > 500 for 10s'"
    func refused(_ why: String) -> Refusal { Refusal(description: "'\(text)': \(why); \(form)") }
    guard let sign = self.text.firstIndex(where: { $0 == "<" || $0 == ">" }) else {
      throw refused("it has none of <, <=, > and >=")
    }
    var after = self.text.index(after: sign)
    if after < self.text.endIndex, self.text[after] == "=" { after = self.text.index(after: after) }
    guard let comparison = Comparison(rawValue: String(self.text[sign..<after])) else {
      throw refused("it has none of <, <=, > and >=")
    }
    self.comparison = comparison
    var subject = self.text[..<sign].split(separator: " ").map(String.init)
    var words = self.text[after...].split(separator: " ")
    if let last = words.lastIndex(of: "for") {
      let stretch = Self.joined(words[(last + 1)...])
      guard let time = Self.nanoseconds(stretch), (1e9...3.6e12).contains(time),
        time.truncatingRemainder(dividingBy: 1e9) == 0
      else { throw refused("'\(stretch)' is not a whole number of seconds from 1s to 3600s") }
      seconds = Int(time / 1e9)
      words.removeSubrange(last...)
    } else {
      seconds = nil
    }
    let value = Self.joined(words[...])
    if subject.count == 2 {
      guard steps.contains(subject[0]) else {
        throw refused("'\(subject[0])' is none of the steps \(steps.joined(separator: ", "))")
      }
      step = subject.removeFirst()
    } else {
      step = nil
    }
    let name = subject.joined(separator: " ")
    if name == "errors" {
      metric = .errors
      guard value.hasSuffix("%"), let share = Double(value.dropLast()),
        (0...100).contains(share)
      else { throw refused("'\(value)' is not a percentage from 0% to 100%") }
      bound = share / 100
    } else if name == "rate" {
      metric = .rate
      guard let rate = Double(value), rate >= 0, rate.isFinite else {
        throw refused("'\(value)' is not a number of answers a second")
      }
      bound = rate
    } else if name == "max" || name.hasPrefix("p") {
      let digits = name == "max" ? "100" : name.dropFirst().filter { $0 != "(" && $0 != ")" }
      guard let percent = Double(digits), percent > 0, percent <= 100 else {
        throw refused("'\(name)' is not a percentile")
      }
      metric = .percentile(percent)
      guard let time = Self.nanoseconds(value) else {
        throw refused("'\(value)' is not a time in us, ms or s")
      }
      bound = time
    } else {
      throw refused("'\(name)' is not measured")
    }
  }

  /// Several, separated by commas.
  ///
  /// - Throws: `Refusal` of the first that is none.
  package static func list(_ text: String, steps: [String]) throws(Refusal) -> [LoadThreshold] {
    var found: [LoadThreshold] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let condition = part.trimmingCharacters(in: .whitespaces)
      found.append(try LoadThreshold(condition, steps: steps))
    }
    return found
  }

  /// A number with its unit, between which a space may be.
  private static func joined(_ words: ArraySlice<Substring>) -> String {
    let isSpaced = words.count == 2 && words.last?.first?.isNumber == false
    return words.joined(separator: isSpaced ? "" : " ")
  }

  private static func nanoseconds(_ text: String) -> Double? {
    for (unit, size) in [("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)]
    where text.hasSuffix(unit) {
      guard let value = Double(text.dropLast(unit.count)), value >= 0, value.isFinite else {
        return nil
      }
      return value * size
    }
    return nil
  }

  /// The value that is compared.
  ///
  /// - Parameters:
  ///   - latency: Of all requests, those without an answer among them.
  ///   - rate: Answers a second.
  /// - Returns: Nil where nothing has been measured that it could be made of.
  package func value(
    _ latency: LatencyRecorder, answered: Int, failed: Int, rate: Double
  ) -> Double? {
    switch metric {
    case .percentile(let percent):
      return latency.count == 0 ? nil : Double(latency.percentile(percent))
    case .errors: return answered + failed == 0 ? nil : Double(failed) / Double(answered + failed)
    case .rate: return rate
    }
  }

  /// Whether a value meets it.
  package func isMet(by value: Double) -> Bool {
    switch comparison {
    case .below: value < bound
    case .atMost: value <= bound
    case .above: value > bound
    case .atLeast: value >= bound
    }
  }

  /// Whether lower values are better.
  package var wantsLess: Bool { comparison == .below || comparison == .atMost }
}
