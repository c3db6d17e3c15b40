internal import Foundation
internal import LoadTest
internal import Programmes
internal import Quantities
internal import RewardModel
internal import Scenario

/// Files and flags that people write.
extension FuzzTarget {
  static let scenario = FuzzTarget("scenario", "a scenario file") { bytes in
    do throws(InputErrors) {
      let scenario = try Scenario.load(bytes: Array(bytes), file: "fuzz.yaml")
      check(scenario)
      return .read
    } catch {
      return .refusal(error)
    }
  }

  static let override = FuzzTarget("override", "flags --set, one a line") { bytes in
    let overrides = lines(bytes).map { SettingOverride(argument: $0) }
    do throws(InputErrors) {
      let scenario = try Scenario.load(
        text: "name: fuzz\n", file: "fuzz.yaml", overrides: overrides)
      check(scenario)
      return .read
    } catch {
      return .refusal(error)
    }
  }

  static let condition = FuzzTarget("condition", "flags --such-that, one a line") { bytes in
    var outcome = Outcome.read
    for line in lines(bytes) {
      for programme in Programmes.all {
        do throws(Condition.Refusal) {
          _ = try Condition(line, figures: programme.figures)
        } catch {
          outcome = .refusal(error)
        }
      }
    }
    return outcome
  }

  static let history = FuzzTarget("history", "a history, for each program") { bytes in
    var outcome: Outcome?
    for programme in Programmes.all {
      do throws(InputErrors) {
        let history = try History.read(
          programme.history, bytes: Array(bytes), file: "fuzz.csv", zone: "America/New_York")
        check(history)
        outcome = .read
      } catch {
        outcome = outcome ?? .refusal(error)
      }
    }
    return outcome ?? .refused
  }

  static let serviceMap = FuzzTarget("service-map", "a file for stress --api") { bytes in
    guard let text = String(validating: bytes, as: UTF8.self) else { return .refused }
    do throws(InputErrors) {
      _ = try ServiceMap(text, file: "fuzz.yaml", steps: steps, fixed: ["shop": "7"])
      return .read
    } catch {
      return .refusal(error)
    }
  }

  static let address = FuzzTarget("address", "the flag stress --target") { bytes in
    do throws(TargetURL.Refusal) {
      let address = try TargetURL(
        String(decoding: bytes, as: UTF8.self), allowed: ["shop.example.org"])
      invariant(address.port > 0 && !address.authority.isEmpty, "nowhere to send to")
      return .read
    } catch {
      return .refusal(error)
    }
  }

  private static let steps: [LoadStepShape] = Programmes.all
    .compactMap { $0 as? any LoadedProgramme.Type }.flatMap { steps(of: $0) }

  private static func steps<P: LoadedProgramme>(of programme: P.Type) -> [LoadStepShape] {
    P.Crowd.steps
  }

  /// Sixteen at most.
  private static func lines(_ bytes: UnsafeRawBufferPointer) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n")).prefix(16).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// What loads can be planned and shown, and what it is written as loads as the same.
  private static func check(_ scenario: Scenario) {
    do throws(CalendarError) {
      _ = try scenario.plan()
    } catch {
      invariant(false, "a scenario has no calendar: \(error)")
    }
    invariant(!scenario.table.isEmpty, "nothing to show")
    for text in [scenario.yaml, scenario.writtenYAML(head: [])] {
      do throws(InputErrors) {
        let again = try Scenario.load(text: text, file: "again.yaml")
        invariant(again.canonicalText == scenario.canonicalText, "comes back as another: \(text)")
      } catch {
        invariant(false, "is not read again: \(error)")
      }
    }
  }

  /// What is read can be judged and cut.
  private static func check(_ history: History) {
    _ = history.findings()
    if history.gap == nil {
      do throws(CalendarError) {
        _ = try history.calendar(zone: "America/New_York")
      } catch {
        invariant(false, "a history has no calendar: \(error)")
      }
    }
    let first = history.rows[0].instant
    let rows = history.part(from: first, until: .distantFuture)?.rows.count
    invariant(rows == history.rows.count, "a part from the first row on is not the whole")
  }
}
