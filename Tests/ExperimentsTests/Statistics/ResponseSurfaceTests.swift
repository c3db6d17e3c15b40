// Goal: a surface through points is the function where that is a quadratic, and keeps what was
// measured at its center; an axis of a search takes the values of its grain.
// Method: known polynomials at Sobol points; values and neighbors by hand.
import EventKernel
import Experiments
import Testing

@Suite struct ResponseSurfaceTests {
  private func quadratic(_ place: [Double]) -> Double {
    3 - 2 * place[0] + 5 * place[1] + 4 * place[0] * place[0] - 7 * place[0] * place[1]
      + place[1] * place[1]
  }

  @Test("A quadratic comes back, near the center and far from it", arguments: [0.02, 0.25, 1])
  func exact(radius: Double) throws {
    let places = try SobolSequence.points(count: 12, dimensions: 2)
    let surface = try ResponseSurface(
      places: places, values: places.map(quadratic), centre: 3, radius: radius)
    for place in [[0.0, 0], [1, 1], [0.3, 0.9], places[3]] {
      #expect(abs(surface.value(at: place) - quadratic(place)) < 1e-6, "\(place)")
    }
  }

  @Test("Too few points for a quadratic give a plane, and one too few for that is refused")
  func linear() throws {
    let places = try SobolSequence.points(count: 5, dimensions: 2)
    func plane(_ place: [Double]) -> Double { 1 + 2 * place[0] - 3 * place[1] }
    let surface = try ResponseSurface(
      places: places, values: places.map(plane), centre: 0, radius: 0.3)
    #expect(near(surface.value(at: [0.9, 0.1]), plane([0.9, 0.1])))
    #expect(throws: StatisticsError.self) {
      try ResponseSurface(places: [[0, 0], [1, 1]], values: [1, 2], centre: 0, radius: 0.3)
    }
  }

  @Test("At the center the surface has what was measured, whatever the others say")
  func centre() throws {
    let places = try SobolSequence.points(count: 20, dimensions: 3)
    var stream = repetitionStream(0, purpose: 62)
    let values = places.map { _ in stream.normal() }
    let surface = try ResponseSurface(places: places, values: values, centre: 7, radius: 0.2)
    #expect(surface.value(at: places[7]) == values[7])
  }

  @Test("Where the points do not differ the surface is flat")
  func flat() throws {
    let places = (0..<8).map { [Double($0) / 7, 0.5] }
    let surface = try ResponseSurface(
      places: places, values: places.map { 2 * $0[0] }, centre: 0, radius: 0.5)
    #expect(near(surface.value(at: [0.4, 0.5]), 0.8, 1e-6))
    #expect(near(surface.value(at: [0.4, 0.9]), 0.8, 1e-6))
  }

  @Test("An axis takes the ends of its range and short numbers between")
  func grains() throws {
    func values(_ domain: RootSettings.Domain, _ place: Double) throws -> [Double] {
      let axis = try SearchAxis(domain)
      return [.down, .up, .toNearestOrEven].map { axis.rounded(place, $0) }
    }
    #expect(try values(.real(low: 0, high: 50), 0.333_333) == [16.66, 16.67, 16.67])
    #expect(try values(.real(low: 0.1, high: 0.4), 0.5) == [0.25, 0.25, 0.25])
    #expect(try values(.real(low: 0, high: 1e6), 0.123_456_7) == [123_000, 124_000, 123_000])
    #expect(try values(.whole(low: 10, high: 50, step: 1), 0.51) == [30, 31, 30])
    #expect(try values(.whole(low: 1, high: 10, step: 4), 0.6) == [5, 9, 5], "1, 5, 9")
    #expect(try values(.logarithmic(low: 1, high: 10_000), 0.5) == [100, 100, 100])
    #expect(try values(.logarithmic(low: 1, high: 10_000), 0.3) == [15.84, 15.85, 15.85])
    for domain in [
      RootSettings.Domain.real(low: 0.123_456, high: 7.654_321), .whole(low: 3, high: 9, step: 1),
      .logarithmic(low: 0.123_456, high: 7.654_321),
    ] {
      let axis = try SearchAxis(domain)
      #expect(axis.rounded(0, .up) == axis.low && axis.rounded(1, .down) == axis.high)
      for step in 0...40 {
        let place = Double(step) / 40
        let value = axis.rounded(place, .toNearestOrEven)
        #expect((axis.low...axis.high).contains(value))
        #expect(axis.rounded(place, .down) <= axis.rounded(place, .up))
      }
    }
  }
}
