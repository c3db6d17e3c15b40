// Goal: weights of hours and weekdays are shares of purchases by the local clock, per day that there was;
// what a history does not tell is left out and said.
// Method: purchases drawn from known weights; clock changes; bare dates; short histories.
import BlakJaks
import EventKernel
import Experiments
import Foundation
import Quantities
import RewardModel
import Scenario
import Testing

@Suite struct SeasonFitTests {
  private static let hours = (0..<24).map { hour -> Double in
    let turn = Double(hour) / 24 * 2 * Double.pi
    return 1 + 0.8 * sin(turn)
  }
  private static let weekdays = [0.5, 0.8, 1.0, 1.1, 1.3, 1.6, 0.7]

  /// Purchases of some members over some days, by an hourly Poisson process with these weights.
  private func history(days: Int, members: Int, daily: Double, seed: UInt64) -> MadeHistory {
    var stream = RandomStream(seed: seed, purpose: 1, entity: 0)
    var made = MadeHistory()
    let start = CivilDate(year: 2026, month: 1, day: 1)
    for day in 0..<days {
      for hour in 0..<24 {
        let mean =
          daily / 24 * Self.hours[hour] * Self.weekdays[start.adding(days: day).weekday]
        for _ in 0..<stream.poisson(mean: mean) {
          let member = Int(stream.uniformIndex(below: UInt64(members)))
          made.add(
            .purchase, member, hours: Double(24 * day + hour) + 0.01 + 0.9 * stream.uniform())
        }
      }
    }
    return made
  }

  @Test("Weights hold the ones that made the purchases as often as their intervals say")
  func weights() throws {
    var held = 0
    for seed in 0..<8 {
      let made = history(days: 100, members: 300, daily: 60, seed: UInt64(seed))
      let fit = try SeasonFit(made.observed(untilDay: 99))
      #expect(fit.untold.isEmpty)
      #expect(abs(fit.hours.reduce(0) { $0 + $1.estimate } - 24) < 1e-9)
      #expect(abs(fit.weekdays.reduce(0) { $0 + $1.estimate } - 7) < 1e-9)
      for (fitted, truth) in zip(fit.hours, Self.hours) where fitted.contains(truth) { held += 1 }
      let mean = Self.weekdays.reduce(0, +) / 7
      for (fitted, truth) in zip(fit.weekdays, Self.weekdays) where fitted.contains(truth / mean) {
        held += 1
      }
      #expect(fit.test?.pValue.map { $0 > 1e-4 } == true)
      #expect(fit.weekdayDays.reduce(0, +) == 94 && fit.weekdayDays[3] == 13)
      #expect(fit.grid.flatMap(\.self).reduce(0, +) == made.rows.count)
    }
    // 248 trials at .95 are below 224 once in 400 tries.
    #expect(held >= 224, "\(held) of 248")
  }

  @Test("The hour in which a cohort is let in is no hour of the season")
  func cohort() throws {
    var made = history(days: 100, members: 3_000, daily: 200, seed: 3)
    for member in 0..<3_000 { made.add(.purchase, member, hours: 0) }
    let fit = try SeasonFit(made.observed(untilDay: 99))
    for (fitted, truth) in zip(fit.hours, Self.hours) {
      #expect(abs(fitted.estimate - truth) < 0.2, "\(fitted) of \(truth)")
    }
    // One member more, who comes on the next day: they came one after the other.
    made.add(.purchase, 3_000, hours: 30)
    let launch = try SeasonFit(made.observed(untilDay: 99))
    #expect(launch.hours[0].estimate > 3)

    var dates = MadeHistory()
    for member in 0..<200 { dates.add(.purchase, member, hours: 8) }
    for day in 1..<40 { dates.add(.purchase, day, hours: Double(24 * day), hasClock: false) }
    #expect {
      _ = try SeasonFit(dates.observed(untilDay: 0))
    } throws: {
      ($0 as? Untold)?.reason.contains("nobody bought anything after the day on which all") == true
    }
    let told = try SeasonFit(dates.observed(untilDay: 39))
    #expect(told.hours.isEmpty)
    #expect(
      told.untold[0].hasPrefix("purchases after the day on which all members signed up have"))
  }

  @Test("A membership that grows does not make the last days of a week strong ones")
  func growth() throws {
    // Twenty more purchases a day, each day: taken per day that there was, Saturday would have 4 % more
    // than Sunday.
    var made = MadeHistory()
    for day in 0..<70 {
      for purchase in 0..<(20 * day) {
        let time = 12.5 + Double(purchase / 50) / 100
        made.add(.purchase, purchase % 50, hours: Double(24 * day) + time)
      }
    }
    let fit = try SeasonFit(made.observed(untilDay: 69))
    #expect(fit.weekdays.allSatisfy { abs($0.estimate - 1) < 0.001 }, "\(fit.weekdays)")
  }

  @Test(
    "An hour without purchases keeps a small weight, and members who differ are seen not to fit")
  func product() throws {
    var made = MadeHistory()
    // On Thursdays at 9, on all other days at 20.
    for day in 0..<70 {
      for member in 0..<6 {
        made.add(.purchase, member, hours: Double(24 * day + (day % 7 == 0 ? 9 : 20)) + 0.5)
      }
    }
    let fit = try SeasonFit(made.observed(untilDay: 69))
    #expect(fit.hours[3].estimate > 0 && fit.hours[3].estimate < 0.05)
    #expect(fit.test?.pValue.map { $0 < 1e-6 } == true)
    #expect(fit.weekdays.allSatisfy { abs($0.estimate - 1) < 0.01 })
  }

  @Test("An hour that has all purchases has the weight of all hours, within its interval")
  func one() throws {
    var made = MadeHistory()
    for member in 0..<100 { made.add(.purchase, member, hours: Double(24 * (member % 28)) + 12.5) }
    let fit = try SeasonFit(made.observed(untilDay: 27))
    let noon = fit.hours[12]
    // Wilson's interval of 100 of 100 begins at .963; half a purchase in each hour made it .897.
    #expect(abs(noon.estimate - 24) < 0.25 && noon.contains(noon.estimate), "\(noon)")
    #expect((fit.hours + fit.weekdays).allSatisfy { $0.contains($0.estimate) })
  }

  @Test("Bare dates tell weekdays alone, a week of clocks hours alone, and neither is refused")
  func parts() throws {
    var dates = MadeHistory()
    for day in 0..<40 {
      for member in 0..<3 {
        dates.add(.purchase, member, hours: Double(24 * day), hasClock: false)
      }
    }
    let dated = try SeasonFit(dates.observed(untilDay: 39))
    #expect(dated.hours.isEmpty && dated.weekdays.count == 7 && dated.test == nil)
    #expect(dated.untold.count == 1 && dated.untold[0].contains("without a clock"))
    var nights = MadeHistory()
    for day in 0..<40 {
      for member in 0..<3 { nights.add(.purchase, member, hours: Double(24 * day)) }
    }
    let timed = try SeasonFit(nights.observed(untilDay: 39))
    #expect(timed.untold.isEmpty && timed.grid.allSatisfy { $0[0] == $0.reduce(0, +) })
    var week = MadeHistory()
    for member in 0..<200 { week.add(.purchase, member, hours: Double(member % 140) + 0.5) }
    let short = try SeasonFit(week.observed(untilDay: 6))
    #expect(short.weekdays.isEmpty && short.hours.count == 24)
    #expect(short.untold.count == 1 && short.untold[0].contains("fewer than 2 of each weekday"))
    var few = MadeHistory()
    few.add(.purchase, 0, hours: 1.5)
    few.add(.purchase, 1, hours: 26.5)
    #expect {
      _ = try SeasonFit(few.observed(untilDay: 3))
    } throws: {
      let reason = ($0 as? Untold)?.reason ?? ""
      return reason.contains("only 2 purchases have a clock") && reason.contains("weekday")
    }
  }

  @Test("Hours are local ones, and days on which clocks change are left out")
  func zones() throws {
    // 8 March 2026 has 23 hours in New York; the day is a Sunday.
    var lines = ["time,member,event,tins,other"]
    let first = CivilDate(year: 2026, month: 3, day: 1)
    for day in 0..<28 {
      for member in 0..<5 {
        lines.append("\(first.adding(days: day))T18:30:00,m\(member),purchase,1,")
      }
    }
    let history = try History.read(
      BlakJaksProgramme.history, bytes: Array((lines.joined(separator: "\n") + "\n").utf8),
      file: "h.csv", zone: "America/New_York")
    let observed = try ObservedHistory(
      history, zone: "America/New_York", until: first.adding(days: 27))
    let fit = try SeasonFit(observed)
    let counted = fit.grid.flatMap(\.self)
    #expect(counted.reduce(0, +) == 130)
    #expect(fit.grid.allSatisfy { $0[18] == $0.reduce(0, +) })
    #expect(fit.weekdayDays == [3, 3, 4, 3, 3, 3, 2])
    #expect(fit.weekdays.allSatisfy { abs($0.estimate - 1) < 0.02 })
  }
}
