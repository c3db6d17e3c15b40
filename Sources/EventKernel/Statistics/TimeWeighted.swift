public import Quantities

/// The mean over time of a value that changes by steps, such as a queue's length.
public struct TimeWeighted: Equatable, Sendable, BitwiseCopyable, Codable {
  @usableFromInline let start: Instant
  @usableFromInline var last: Instant
  @usableFromInline var value: Double
  /// Integral of the value over time, in value × microseconds.
  @usableFromInline var area: Double
  @usableFromInline var highest: Double

  /// Begins at an instant with a value.
  ///
  /// - Parameters:
  ///   - start: From which the mean is taken.
  ///   - value: Finite; a value that is not is a bug and stops the process.
  public init(start: Instant, value: Double = 0) {
    invariant(value.isFinite, "a time-weighted value began as \(value)")
    self.start = start
    last = start
    self.value = value
    area = 0
    highest = value
  }

  /// The value becomes `newValue` at `instant`.
  ///
  /// - Throws: `EstimatorError.notFinite` or `.timeWentBack`; nothing has changed then.
  /// - Complexity: O(1).
  @inlinable
  public mutating func update(
    _ newValue: Double, at instant: Instant
  ) throws(EstimatorError) {
    guard newValue.isFinite else { throw .notFinite(newValue) }
    guard instant >= last else { throw .timeWentBack(from: last, to: instant) }
    set(newValue, at: instant)
  }

  /// As `update`, for a finite value and an instant that is not earlier.
  @inlinable
  @inline(__always)
  mutating func set(_ newValue: Double, at instant: Instant) {
    area += value * Double(instant.microseconds &- last.microseconds)
    last = instant
    value = newValue
    highest = newValue > highest ? newValue : highest
  }

  /// The value now.
  public var current: Double { value }
  /// The largest value so far.
  public var maximum: Double { highest }

  /// Integral of the value up to `instant`, in value × seconds.
  ///
  /// - Throws: `EstimatorError.timeWentBack` when `instant` is before the last update.
  public func integral(at instant: Instant) throws(EstimatorError) -> Double {
    guard instant >= last else { throw .timeWentBack(from: last, to: instant) }
    return (area + value * Double((instant - last).microseconds)) / 1e6
  }

  /// Mean over time from the start to `instant`; nil when no time has passed.
  ///
  /// - Throws: `EstimatorError.timeWentBack` when `instant` is before the last update.
  public func mean(at instant: Instant) throws(EstimatorError) -> Double? {
    let integral = try integral(at: instant)
    let span = (instant - start).inSeconds
    return span > 0 ? integral / span : nil
  }
}
