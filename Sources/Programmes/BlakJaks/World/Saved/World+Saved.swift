internal import EventKernel
package import Foundation
internal import Quantities
package import RewardModel

extension World {
  /// Hands out the world as it is after the last window: the house, then each cell.
  ///
  /// - Throws: Errors of the encoder, and what `part` throws.
  /// - Complexity: O(members + days).
  package mutating func save(_ part: (Data) throws -> Void) throws {
    try withCells { cells, house in try SavedRun.save(house, cells, part) }
  }

  /// The world as it is after the last window. One that is made of the same input and restored
  /// goes on as this one does.
  ///
  /// - Throws: Errors of the encoder.
  package mutating func saved() throws -> SavedRun {
    let instant = now
    return try SavedRun(instant: instant) { part in try save(part) }
  }

  /// Goes on where a world of the same input was saved, whatever its threads and outputs were; only
  /// whether members are handed out at the end must be the same.
  ///
  /// - Throws: `SavedRunError`, or errors of the decoder; the world is then of no use.
  package mutating func restore(_ saved: SavedRun) throws {
    let calendar = input.calendar
    try withCells { cells, house in try saved.restore(&house, cells, in: calendar) }
    now = saved.instant
  }
}
