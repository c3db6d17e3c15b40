@preconcurrency internal import CGSL
internal import EventKernel

/// Points that fill the unit cube evenly: Sobol's sequence as GSL has it.
///
/// A multiple of a power of two of points is best balanced. Source: Antonov and Saleev 1979,
/// doi:10.1016/0041-5553(79)90085-5, direction numbers of Bratley and Fox 1988,
/// doi:10.1145/42288.214372, as in `gsl_qrng_sobol`.
package enum SobolSequence {
  /// Most dimensions that GSL has direction numbers for.
  package static let dimensionsMaximum = 40
  /// Bits of a coordinate in GSL.
  private static let bits = 30

  /// The first points of the sequence.
  ///
  /// - Parameters:
  ///   - count: From 1 to 2^24.
  ///   - dimensions: From 1 to 40.
  ///   - shift: Nil gives GSL's own points, which leave out the origin and begin with the center.
  ///     A seed flips the same random bits in all points of a dimension and keeps the origin: the
  ///     points stay as even, are uniform one by one, and another seed gives another, independent
  ///     set (digital shift, L'Ecuyer and Lemieux 2002, doi:10.1007/0-306-48102-2_20; why the first
  ///     point stays: Owen 2022, doi:10.1007/978-3-030-98319-2_4).
  /// - Returns: One row a point, each coordinate at least 0 and below 1 (above 0 with a shift).
  /// - Throws: `StatisticsError.count`; `.estimator` when GSL refuses.
  /// - Complexity: O(count × dimensions).
  package static func points(
    count: Int, dimensions: Int, shift: UInt64? = nil
  ) throws(StatisticsError) -> [[Double]] {
    guard (1...dimensionsMaximum).contains(dimensions) else {
      throw .count(name: "dimensions", count: dimensions, allowed: 1...dimensionsMaximum)
    }
    guard (1...(1 << 24)).contains(count) else {
      throw .count(name: "points", count: count, allowed: 1...(1 << 24))
    }
    GSLRuntime.prepare()
    guard let generator = gsl_qrng_alloc(gsl_qrng_sobol, UInt32(dimensions)) else {
      throw .estimator(.gsl(function: "gsl_qrng_alloc"))
    }
    defer { gsl_qrng_free(generator) }
    let masks = shift.map { seed in
      (0..<dimensions).map { dimension in
        var stream = RandomStream(
          seed: seed, purpose: ExperimentPurpose.sobolShift.rawValue, entity: UInt64(dimension))
        return stream.nextUInt64() >> UInt64(64 - bits)
      }
    }
    var rows: [[Double]] = []
    rows.reserveCapacity(count)
    var row = [Double](repeating: 0, count: dimensions)
    for index in 0..<count {
      if index > 0 || masks == nil { gsl_qrng_get(generator, &row) }
      rows.append(masks.map { shifted(row, by: $0) } ?? row)
    }
    return rows
  }

  private static func shifted(_ row: [Double], by masks: [UInt64]) -> [Double] {
    let scale = Double(1 << bits)
    return row.indices.map { dimension in
      (Double(UInt64(row[dimension] * scale) ^ masks[dimension]) + 0.5) / scale
    }
  }
}
