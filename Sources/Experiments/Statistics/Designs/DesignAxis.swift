/// One coordinate of a design point.
package enum DesignCoordinate: Equatable, Sendable {
  /// A value of a range.
  case number(Double)
  /// A whole value of a range.
  case whole(Int)
  /// Position in a list, from 0.
  case choice(Int)

  /// Place on a numeric axis: the value, or the position in the list.
  package var plotted: Double {
    switch self {
    case .number(let value): value
    case .whole(let value), .choice(let value): Double(value)
    }
  }
}

/// One thing that a design varies.
package struct DesignAxis: Equatable, Sendable {
  /// What values there are.
  package enum Kind: Equatable, Sendable {
    /// Real values from low to high, linearly; a grid takes `levels` of them, ends included.
    case range(low: Double, high: Double, levels: Int)
    /// Whole values from low to high; a grid takes up to `levels` of them, ends included.
    case whole(low: Int, high: Int, levels: Int)
    /// A list of this many values of any kind.
    case list(count: Int)
  }

  /// Name, such as the path of a setting.
  package let name: String
  package let kind: Kind

  /// - Throws: `StatisticsError.badRange` unless both ends are finite and low < high (for whole
  ///   values within ±2^52); `.count` for fewer than 2 levels (at most 10,000) or an empty list.
  package init(name: String, kind: Kind) throws(StatisticsError) {
    switch kind {
    case .range(let low, let high, let levels):
      guard low < high, (high - low).isFinite else {
        throw .badRange(name: name, low: low, high: high)
      }
      try Self.check(levels, name: name, allowed: 2...10_000)
    case .whole(let low, let high, let levels):
      guard low < high, low >= -(1 << 52), high <= 1 << 52 else {
        throw .badRange(name: name, low: Double(low), high: Double(high))
      }
      try Self.check(levels, name: name, allowed: 2...10_000)
    case .list(let count):
      try Self.check(count, name: name, allowed: 1...10_000)
    }
    self.name = name
    self.kind = kind
  }

  private static func check(
    _ count: Int, name: String, allowed: ClosedRange<Int>
  ) throws(StatisticsError) {
    guard allowed.contains(count) else { throw .count(name: name, count: count, allowed: allowed) }
  }

  /// The value at a share of the axis: for a range, low at 0 and high at 1; whole values and lists
  /// are cut into equal parts.
  ///
  /// - Parameter share: From 0 to 1.
  package func coordinate(at share: Double) -> DesignCoordinate {
    switch kind {
    case .range(let low, let high, _): .number(low * (1 - share) + high * share)
    case .whole(let low, let high, _):
      .whole(low + Self.part(share, of: high - low + 1))
    case .list(let count): .choice(Self.part(share, of: count))
    }
  }

  /// Where a coordinate is on the axis, from 0 to 1: the inverse of `coordinate(at:)` for a range;
  /// whole values and entries of lists from the first at 0 to the last at 1.
  package func place(of coordinate: DesignCoordinate) -> Double {
    switch kind {
    case .range(let low, let high, _): (coordinate.plotted - low) / (high - low)
    case .whole(let low, let high, _): (coordinate.plotted - Double(low)) / Double(high - low)
    case .list(let count): count > 1 ? coordinate.plotted / Double(count - 1) : 0
    }
  }

  private static func part(_ share: Double, of count: Int) -> Int {
    max(0, min(count - 1, Int((share * Double(count)).rounded(.down))))
  }

  /// The values that a full grid takes, in rising order, none twice.
  package var gridCoordinates: [DesignCoordinate] {
    switch kind {
    case .range(let low, let high, let levels):
      return (0..<levels).map { level in
        let share = Double(level) / Double(levels - 1)
        return .number(low * (1 - share) + high * share)
      }
    case .whole(let low, let high, let levels):
      var values: [Int] = []
      for level in 0..<levels {
        let share = Double(level) / Double(levels - 1)
        let value = low + Int((share * Double(high - low)).rounded())
        if values.last != value { values.append(value) }
      }
      return values.map { .whole($0) }
    case .list(let count): return (0..<count).map { .choice($0) }
    }
  }
}
