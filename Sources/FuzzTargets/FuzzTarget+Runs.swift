internal import Foundation
internal import LoadTest
internal import Programmes
internal import RunStore

/// What earlier runs and loads left on disk.
extension FuzzTarget {
  static let runFile = FuzzTarget("run-file", "a run's database with other bytes") { bytes in
    DamagedRun.bytes.read(bytes)
  }

  static let runCells = FuzzTarget("run-cells", "a run's database with other values") { bytes in
    DamagedRun.cells.read(bytes)
  }

  static let runSummary = FuzzTarget("run-summary", "a run's summary.json") { bytes in
    DamagedRun.summary.read(bytes)
  }

  static let baseline = FuzzTarget("load-baseline", "an earlier load's load.json") { bytes in
    do throws(LoadBaseline.Refusal) {
      _ = try LoadBaseline(Data(bytes), source: "load.json")
      return .read
    } catch {
      return .refusal(error)
    }
  }
}
