internal import Foundation
internal import Quantities
package import RewardModel
internal import Scenario

/// How a setting is changed on the page: what to draw, and between which ends.
package struct StudioControl: Encodable, Sendable, Equatable {
  /// What is drawn.
  package enum Kind: String, Encodable, Sendable {
    /// A slider with a field next to it.
    case slider
    case flag
    case choice
    case date
    /// A field for anything else.
    case text
    /// A group of settings that is on or off as a whole.
    case group
  }

  package var kind: Kind
  /// The value as an override takes it.
  package var value: String
  /// The number of a slider, in the unit of `suffix`.
  package var number: Double?
  /// Ends and step of the slider. They are handy ones; the setting may take more.
  package var low: Double?
  package var high: Double?
  package var step: Double?
  /// What the setting really takes, in the same unit.
  package var least: Double?
  package var most: Double?
  /// What follows the number, such as ` %`; may be empty.
  package var suffix = ""
  /// The words of a choice.
  package var words: [String]?
  /// What is accepted, in words that complete 'write …'.
  package var wanted: String

  /// The control of a setting.
  ///
  /// - Parameters:
  ///   - shape: What values the setting takes.
  ///   - value: What it is now.
  ///   - standard: Its default, by which a range without a handy end is cut.
  package init(_ shape: SettingShape, _ value: SettingValue, standard: SettingValue) {
    wanted = shape.wanted
    kind = .text
    self.value = Self.text(value)
    switch shape {
    case .flag: kind = .flag
    case .date: kind = .date
    case .choice(let words):
      kind = .choice
      self.words = words
    case .offSwitch: kind = .group
    case .zone, .text, .form, .list, .records, .optional: break
    default:
      if let scale = Scale(shape, value, standard) { take(scale) }
    }
  }

  /// A value as an override takes it: only texts in a list have quotes.
  package static func text(_ value: SettingValue) -> String {
    if case .list = value { return value.quotedText }
    return value.text
  }

  private mutating func take(_ scale: Scale) {
    kind = .slider
    number = scale.number
    most = scale.most
    suffix = scale.suffix
    let reach = scale.reach
    let step = scale.step(reach.high - reach.low)
    self.step = step
    // A setting that has to be more than its least value takes a step more.
    least = scale.isOpen ? min(scale.least + step, scale.number) : scale.least
    low = (reach.low / step).rounded(.down) * step
    high = (reach.high / step).rounded(.up) * step
  }
}

/// The numbers of a setting in the unit in which people read it.
private struct Scale {
  var number: Double
  var standard: Double
  var least: Double
  var most: Double
  /// The finest step that the setting takes; nil where every number is one.
  var grain: Double?
  var suffix = ""
  /// Whether `least` itself is not taken.
  var isOpen = false

  /// Nil for a shape without numbers.
  init?(_ shape: SettingShape, _ value: SettingValue, _ standard: SettingValue) {
    guard let number = Self.number(value) else { return nil }
    if case .integer(let range) = shape, range.upperBound > Int128(Int64.max) { return nil }
    self.number = number
    self.standard = Self.number(standard) ?? number
    switch shape {
    case .integer(let range):
      (least, most, grain) = (Double(range.lowerBound), Double(range.upperBound), 1)
    case .decimal(let range):
      (least, most, isOpen) = (range.lower, range.upper, !range.lowerIncluded)
    case .money(let range, _):
      (least, most) = (Double(range.lowerBound) / 1e6, Double(range.upperBound) / 1e6)
      grain = 1e-6
    case .share(let most):
      (least, self.most, grain, suffix) = (0, Double(most) / 100, 0.01, " %")
    case .fraction(let most): (least, self.most, suffix) = (0, most * 100, " %")
    case .rate(let most):
      (least, self.most, grain, suffix) = (0, Double(most) / 1_000, 0.001, " %")
    case .multiplier(let most): (least, self.most, grain) = (0, Double(most) / 10_000, 1e-4)
    case .duration(let range, let step):
      // The value's own unit is the one that people think in; of a week, a slider takes days.
      var unit = value.text.split(separator: " ").last.map(String.init) ?? "s"
      guard case .duration(let span) = value else { return nil }
      if unit == "w" { (self.number, unit) = (number * 7, "d") }
      let length = number == 0 ? 1e6 : Double(span.microseconds) / self.number
      // Ends that have many digits in this unit move inward to six.
      least = (Double(range.lowerBound.microseconds) / length * 1e6).rounded(.up) / 1e6
      most = (Double(range.upperBound.microseconds) / length * 1e6).rounded(.down) / 1e6
      grain = Double(step.microseconds) / length
      suffix = " \(unit)"
      if case .duration(let usual) = standard {
        self.standard = Double(usual.microseconds) / length
      }
    default: return nil
    }
  }

  private static func number(_ value: SettingValue) -> Double? {
    switch value {
    case .integer, .decimal, .money, .share, .fraction, .rate, .multiplier, .duration:
      value.text.split(separator: " ").first.flatMap { Double($0) }
    default: nil
    }
  }

  /// Ends for a slider: those of the setting where they are near its default, else up to four times
  /// the default, and always around the value.
  var reach: (low: Double, high: Double) {
    let size = max(abs(standard), abs(number) / 2)
    let far = size > 0 ? 4 * size : 10
    let high = most <= max(far, 100) && suffix == " %" || most <= 2.5 * far ? most : Self.round(far)
    return (least, max(min(high, most), number))
  }

  /// A step that parts a width into about 200, a round number that the setting takes.
  func step(_ width: Double) -> Double {
    guard width > 0, width.isFinite else { return grain ?? 1 }
    let raw = width / 200
    let power = pow(10, log10(raw).rounded(.down))
    let step = [5.0, 2, 1].map { $0 * power }.first { $0 <= raw * 1.000_001 } ?? power
    return max(step, grain ?? 0)
  }

  /// The next 1, 2 or 5 times a power of ten.
  private static func round(_ value: Double) -> Double {
    let power = pow(10, log10(value).rounded(.down))
    return [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= value } ?? value
  }
}
