// Goal: designs give the points that their names promise, in a fixed order.
// Method: small grids by hand; the strata of a Latin hypercube counted; GSL's published beginning
// of Sobol's sequence, and the strata that a digital net must fill.
import Experiments
import Testing

@Suite struct DesignTests {
  static func axis(_ name: String, _ kind: DesignAxis.Kind) throws -> DesignAxis {
    try DesignAxis(name: name, kind: kind)
  }

  @Test("A grid holds every combination, the last axis fastest")
  func grid() throws {
    let design = try Design.grid([
      try Self.axis("a", .list(count: 2)),
      try Self.axis("b", .range(low: 1, high: 2, levels: 3)),
    ])
    #expect(
      design.points == [
        [.choice(0), .number(1)], [.choice(0), .number(1.5)], [.choice(0), .number(2)],
        [.choice(1), .number(1)], [.choice(1), .number(1.5)], [.choice(1), .number(2)],
      ])
  }

  @Test("A grid of whole values is rounded, ends included, and repeats none")
  func wholeGrid() throws {
    let axis = try Self.axis("a", .whole(low: 0, high: 3, levels: 10))
    #expect(axis.gridCoordinates == [.whole(0), .whole(1), .whole(2), .whole(3)])
    let wide = try Self.axis("a", .whole(low: 500, high: 1_000, levels: 3))
    #expect(wide.gridCoordinates == [.whole(500), .whole(750), .whole(1_000)])
  }

  @Test("A range reaches both ends exactly")
  func ends() throws {
    let axis = try Self.axis("a", .range(low: 0.1, high: 0.7, levels: 4))
    #expect(axis.coordinate(at: 0) == .number(0.1))
    #expect(axis.coordinate(at: 1) == .number(0.7))
    #expect(axis.gridCoordinates.last == .number(0.7))
    let list = try Self.axis("a", .list(count: 3))
    #expect(list.coordinate(at: 0) == .choice(0))
    #expect(list.coordinate(at: 0.34) == .choice(1))
    #expect(list.coordinate(at: 1) == .choice(2))
    let whole = try Self.axis("a", .whole(low: -1, high: 1, levels: 2))
    #expect([0, 0.3, 0.34, 0.99, 1].map { whole.coordinate(at: $0).plotted } == [-1, -1, 0, 1, 1])
  }

  @Test("A Latin hypercube takes each stratum of each axis once", arguments: UInt64(0)..<5)
  func latinHypercube(seed: UInt64) throws {
    let points = try LatinHypercube.points(count: 50, dimensions: 6, seed: seed)
    for dimension in 0..<6 {
      let strata = points.map { Int($0[dimension] * 50) }.sorted()
      #expect(strata == Array(0..<50))
    }
    #expect(points == (try LatinHypercube.points(count: 50, dimensions: 6, seed: seed)))
    #expect(points != (try LatinHypercube.points(count: 50, dimensions: 6, seed: seed + 1)))
  }

  @Test("More tries never bring the nearest points closer", arguments: UInt64(0)..<5)
  func maximin(seed: UInt64) throws {
    func nearest(_ points: [[Double]]) -> Double {
      var least = Double.infinity
      for (place, a) in points.enumerated() {
        for b in points[..<place] {
          least = min(least, zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) })
        }
      }
      return least
    }
    let distances = try [1, 5, 40].map { tries in
      nearest(
        try LatinHypercube.points(count: 20, dimensions: 3, seed: seed, tries: tries))
    }
    #expect(distances[0] <= distances[1])
    #expect(distances[1] <= distances[2])
    #expect(distances[0] < distances[2])
  }

  @Test("Sobol's sequence begins as published")
  func sobolBeginning() throws {
    let points = try SobolSequence.points(count: 5, dimensions: 2)
    #expect(
      points == [[0.5, 0.5], [0.75, 0.25], [0.25, 0.75], [0.375, 0.375], [0.875, 0.875]])
  }

  @Test("Shifted points fill every stratum of every axis once", arguments: UInt64(0)..<4)
  func sobolStrata(seed: UInt64) throws {
    let points = try SobolSequence.points(count: 256, dimensions: 40, shift: seed)
    for dimension in 0..<40 {
      #expect(points.map { Int($0[dimension] * 256) }.sorted() == Array(0..<256))
    }
    // A (0, 8, 2) net in the first two dimensions: one point in each of 16 × 16 squares.
    let squares = points.map { Int($0[0] * 16) * 16 + Int($0[1] * 16) }.sorted()
    #expect(squares == Array(0..<256))
    #expect(points != (try SobolSequence.points(count: 256, dimensions: 40, shift: seed + 1)))
  }

  @Test("Shifted points are uniform whatever the point")
  func sobolShiftIsUniform() throws {
    var sum = 0.0
    for seed in 0..<2_000 {
      sum += try SobolSequence.points(count: 1, dimensions: 1, shift: UInt64(seed))[0][0]
    }
    // Mean 1/2, standard deviation 0.0065.
    #expect(abs(sum / 2_000 - 0.5) < 0.026)
  }

  @Test("Named designs map shares to settings")
  func named() throws {
    let axes = [
      try Self.axis("every", .whole(low: 100, high: 199, levels: 2)),
      try Self.axis("policy", .list(count: 2)),
      try Self.axis("rate", .range(low: -1, high: 1, levels: 2)),
    ]
    let sobol = try Design.sobol(axes, count: 3)
    #expect(sobol.points[0] == [.whole(150), .choice(1), .number(0)])
    let cube = try Design.latinHypercube(axes, count: 100, seed: 1)
    let whole = cube.points.map { Int($0[0].plotted) }.sorted()
    #expect(whole == Array(100..<200))
    #expect(cube.points.count(where: { $0[1] == .choice(0) }) == 50)
    #expect(cube.axes == axes)
  }

  @Test("Empty and reversed ranges, too many points or axes and equal names are refused")
  func refusals() throws {
    #expect(throws: StatisticsError.badRange(name: "a", low: 2, high: 1)) {
      try Self.axis("a", .range(low: 2, high: 1, levels: 2))
    }
    #expect(throws: StatisticsError.self) {
      try Self.axis("a", .range(low: 0, high: .infinity, levels: 2))
    }
    #expect(throws: StatisticsError.self) {
      try Self.axis("a", .range(low: -1e308, high: 1e308, levels: 2))
    }
    #expect(throws: StatisticsError.self) {
      try Self.axis("a", .range(low: 0, high: 1, levels: 1))
    }
    #expect(throws: StatisticsError.self) {
      try Self.axis("a", .whole(low: 0, high: Int.max, levels: 2))
    }
    #expect(throws: StatisticsError.self) { try Self.axis("a", .list(count: 0)) }
    let axis = try Self.axis("a", .list(count: 400))
    #expect(throws: StatisticsError.duplicateAxis("a")) { try Design.grid([axis, axis]) }
    #expect(throws: StatisticsError.self) { try Design.grid([]) }
    #expect(throws: StatisticsError.self) {
      try Design.grid(try (0..<9).map { try Self.axis("\($0)", .list(count: 10_000)) })
    }
    let many = try (0..<41).map { try Self.axis("\($0)", .list(count: 2)) }
    #expect(throws: StatisticsError.count(name: "dimensions", count: 41, allowed: 1...40)) {
      try Design.sobol(many, count: 4)
    }
    #expect(throws: StatisticsError.self) { try Design.sobol([axis], count: 0) }
    #expect(throws: StatisticsError.self) {
      try Design.latinHypercube([axis], count: 1, seed: 0)
    }
    #expect(throws: StatisticsError.self) {
      try Design.latinHypercube([axis], count: 10, seed: 0, tries: 0)
    }
    #expect(throws: StatisticsError.lengths(name: "shares", count: 2, needed: 1)) {
      try Design(axes: [axis], shares: [[0, 0]])
    }
  }
}
