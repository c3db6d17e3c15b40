internal import EventKernel
package import RewardModel

/// How fast a scenario is simulated with more and more threads, and what holds it back.
package struct WorldScaling: Sendable {
  /// Runs with one number of threads; times are means of a run, in seconds.
  package struct Row: Sendable {
    package let threads: Int
    /// What the program's speed is told in, a second, one value a run.
    package fileprivate(set) var speeds: [Double] = []
    /// From the call to the record.
    package fileprivate(set) var wall = 0.0
    /// While cells ran side by side, with what the house did meanwhile.
    package fileprivate(set) var cells = 0.0
    /// Of `cells`, what the house did for the window before.
    package fileprivate(set) var beside = 0.0
    /// While the house was alone.
    package fileprivate(set) var house = 0.0

    fileprivate init(threads: Int) { self.threads = threads }

    /// Building the members, and the record at the end.
    package var rest: Double { max(wall - cells - house, 0) }
    /// The share of the time in which the house was alone, 0...1.
    package var houseShare: Double { wall > 0 ? house / wall : 0 }

    fileprivate mutating func add(_ speed: Double, _ wall: Double, _ times: WindowTimes) {
      speeds.append(speed)
      let count = Double(speeds.count)
      func add(_ value: Double, to mean: inout Double) { mean += (value - mean) / count }
      add(wall, to: &self.wall)
      add(times.cells / .seconds(1), to: &cells)
      add(times.house / .seconds(1), to: &house)
      add(times.catchingUp / .seconds(1), to: &beside)
    }
  }

  /// One a number of threads, ascending, the first with one thread.
  package private(set) var rows: [Row]

  /// Powers of two up to a number of threads, and the number itself.
  package static func threads(upTo most: Int) -> [Int] {
    var counts = Array(sequence(first: 1) { $0 * 2 }.prefix { $0 < most })
    counts.append(most)
    return counts
  }

  /// Simulates a scenario, round by round with each number of threads, so that what else the machine
  /// does meets all of them.
  ///
  /// - Parameters:
  ///   - most: The most threads, 1 or more.
  ///   - rounds: 1 or more.
  ///   - proceed: Told runs done and runs in all after each window; false ends the measurement.
  /// - Returns: Nil where `proceed` ended it.
  /// - Throws: What the simulation throws.
  package init?(
    _ plan: some RunPlan, upTo most: Int, rounds: Int, proceed: (Int, Int) -> Bool
  ) throws {
    rows = Self.threads(upTo: most).map { Row(threads: $0) }
    let clock = WallClock()
    for round in 0..<rounds {
      for place in rows.indices {
        var times = WindowTimes()
        var done: Int64 = 0
        var isStopped = false
        let begin = clock.now()
        _ = try plan.simulate(
          threads: rows[place].threads, outputs: RunOutputs(times: { times = $0 })
        ) { progress in
          done = progress.pace.count
          isStopped = !proceed(round * rows.count + place, rounds * rows.count)
          return !isStopped
        }
        if isStopped { return nil }
        let wall = Double(clock.now() - begin) / 1e9
        rows[place].add(Double(done) / wall, wall, times)
      }
    }
  }

  /// The share of one thread's time that no second thread can take over, 0...1: all but the cells, and
  /// what the house does beside them.
  package var serialShare: Double {
    let alone = rows[0]
    return alone.wall > 0 ? min(max(1 - alone.cells / alone.wall, 0), 1) : 1
  }

  /// The share of one thread's time that a second thread can take over whole, but no more can share.
  package var besideShare: Double {
    let alone = rows[0]
    return alone.wall > 0 ? min(max(alone.beside / alone.wall, 0), 1 - serialShare) : 0
  }

  /// How many times as fast a row is as one thread.
  package func speedUp(_ row: Row) -> Double { row.wall > 0 ? rows[0].wall / row.wall : 1 }

  /// How many times as fast so many threads could be as one, by Amdahl's law: no faster than
  /// 1 / (s + (1 − s) / n) where the share s stays serial, nor than 1 / (s + b) where one thread has to
  /// do the share b. Amdahl 1967, doi:10.1145/1465482.1465560.
  package func bound(threads: Int) -> Double {
    1 / (serialShare + max(besideShare, (1 - serialShare) / Double(threads)))
  }

  /// The same for any number of threads; infinite where nothing is serial.
  package var bound: Double { 1 / (serialShare + besideShare) }
}
