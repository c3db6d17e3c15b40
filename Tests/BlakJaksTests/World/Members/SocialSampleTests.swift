import BlakJaks
import EventKernel
import Foundation
import Population
import Quantities
// Goal: a sample of members writes, translates and votes through the rules, and agrees in law with
// the settings that the counts of all members are drawn from.
// Method: small worlds whose sample is everybody; counts within 4 standard errors of closed forms;
// rules turned so that everything or nothing is refused.
import RewardModel
import TestSupport
import Testing

@Suite(.tags(.slow)) struct SocialSampleTests {
  private func run(_ edit: (inout WorldInput) -> Void = { _ in }) throws -> BlakJaksRecord {
    let input = try smallWorld(seed: 61, members: 300, days: 60) { input in
      input.population.adoption.model = .cohort
      input.population.purchase.model = .paretoNbd
      // Nobody leaves: the closed forms count everybody on every day.
      input.population.purchase.beta = 1e6
      input.population.chat.enabled = true
      input.population.chat.messagesPerMemberDay = 0.5
      input.population.chat.messagesPerWin = 0
      input.population.chat.streams.chatBoost = 0
      input.population.chat.proposals.perMonth = 8
      input.population.chat.proposals.turnout = 0.4
      input.population.chat.proposals.votesAgain = 0.25
      edit(&input)
    }
    var world = try World(input, threads: 1)
    return try world.run()
  }

  private func last(_ record: BlakJaksRecord, _ name: String) -> Double {
    record.series.first { $0.key == "social.sample.\(name)" }?.values.last.flatMap { $0 }
      .map(Double.init) ?? -1
  }

  @Test func messagesTranslationsAndRefusalsFollowTheSettings() throws {
    let record = try run()
    #expect(last(record, "members") == 300)
    let messages = last(record, "messages")
    // 0.5 a day and twice as many with their answers.
    #expect(distance(messages, 300 * 60, 300 * 60) < 4)
    let readOnly = messages * 0.01 / 0.99
    #expect(distance(last(record, "read_only"), readOnly, readOnly) < 4)
    #expect(last(record, "tier_locked") > 0)
    // Two languages besides its own: each asked for Poisson(0.3) times, the first time a miss.
    let translations = last(record, "translations")
    #expect(distance(translations, messages * 0.6, messages * 0.6) < 4)
    let asked = 1 - exp(-0.3)
    let misses = translations - last(record, "translation_hits")
    #expect(distance(misses, messages * 2 * asked, messages * 2 * asked * (1 - asked)) < 4)
  }

  @Test("A sample of everybody writes as much as everybody, on holidays, too")
  func aDaysLength() throws {
    let holiday = try #require(CivilDate("2026-02-10"))
    let record = try run { input in
      input.population.season.holidays = [HolidayFactor(date: holiday, factor: 6)]
    }
    let day = try record.day("2026-02-10")
    let (all, sampled) = (
      try record.growth("social.messages"), try record.growth("social.sample.messages")
    )
    for row in [day - 1, day, day + 1] {
      // Answers to messages of the day before are counted when they come, by both at other times.
      let (mean, other) = (Double(all[row]), Double(sampled[row]))
      #expect(abs(mean - other) < 6 * (mean * 3).squareRoot(), "day \(row): \(other) of \(mean)")
    }
    #expect(sampled[day] > 4 * sampled[day - 1])
  }

  @Test func winsAndStreamsDrawMessagesOfTheSample() throws {
    func quiet(_ edit: (inout WorldInput) -> Void) throws -> BlakJaksRecord {
      try run { input in
        input.population.chat.messagesPerMemberDay = 0
        for row in input.rules.prizes.indices where input.rules.prizes[row].kind == .crypto {
          input.rules.prizes[row].every = 20
        }
        edit(&input)
      }
    }
    #expect(last(try quiet { _ in }, "messages") == 0)
    // 6 a win and 4 a viewer's hour are twice as many with their answers.
    let won = try quiet { $0.population.chat.messagesPerWin = 6 }
    let wins = Double(won.awards.count)
    #expect(wins > 100)
    #expect(distance(last(won, "messages"), wins * 12, wins * 12) < 4)
    #expect(last(won, "translations") > 0)
    let streamed = try quiet { $0.population.chat.streams.chatBoost = 4 }
    let started = Double(streamed.streams.reduce(0) { $0 + $1.messages })
    #expect(started > 100)
    #expect(distance(last(streamed, "messages"), started * 2, started * 2) < 4)
    // 60 of 300 members write a fifth of them.
    let few = try quiet {
      $0.population.chat.messagesPerWin = 6
      $0.population.chat.sampled = 60
    }
    #expect(distance(last(few, "messages"), wins * 12 / 5, wins * 12 / 5) < 4)
  }

  @Test func whoVotesTwiceIsCountedOnce() throws {
    let record = try run()
    let votes = last(record, "votes")
    let refused = last(record, "votes_refused")
    #expect(votes > 500)
    // Of those who vote a quarter tries again, at a later time of the same voting.
    #expect(distance(refused, votes / 4, votes * 3 / 16 + votes / 20) < 4)
    let once = try run { $0.population.chat.proposals.votesAgain = 0 }
    #expect(last(once, "votes") == votes && last(once, "votes_refused") == 0)
    let few = try run { $0.population.chat.proposals.turnout = 0.1 }
    #expect(last(few, "votes") < votes / 2)
    let none = try run {
      $0.rules.social.votingTier = .whale
      $0.rules.tiers.whale = 1_000_000
    }
    #expect(last(none, "votes") == 0 && last(none, "votes_refused") > votes)
  }

  @Test func theLoungesTierRefusesMessagesFromBelowIt() throws {
    let open = try run { $0.rules.social.loungeTier = .standard }
    #expect(last(open, "tier_locked") == 0)
    let usual = try run { $0.population.chat.loungeAttempts = 0.5 }
    #expect(last(usual, "tier_locked") > last(try run(), "tier_locked"))
    let nobody = try run {
      $0.rules.tiers.whale = 1_000_000
      $0.rules.social.loungeTier = .whale
    }
    #expect(last(nobody, "tier_locked") == 0, "nobody is there to whom others would answer")
  }

  @Test func aSmallCacheForgets() throws {
    let usual = try run()
    let hits = try [1, 40, 10_000].map { capacity in
      let record = try run { $0.rules.social.translationCache = capacity }
      #expect(last(record, "translations") == last(usual, "translations"))
      return last(record, "translation_hits")
    }
    // Readers come all through the day, with about 150 different translations.
    #expect(hits[0] < hits[2] / 10 && hits[0] < hits[1] && hits[1] < hits[2] * 3 / 4)
    #expect(hits[2] == last(usual, "translation_hits") && hits[2] > 1_000)
  }

  @Test func theSampleIsAsLargeAsTheSettingAndChangesNothingElse() throws {
    let few = try run { $0.population.chat.sampled = 40 }
    let none = try run { $0.population.chat.sampled = 0 }
    let all = try run()
    #expect(last(few, "members") == 40)
    #expect(last(few, "messages") < last(all, "messages") / 4)
    #expect(last(none, "members") == -1, "there is no sample")
    for key in ["social.messages", "social.votes", "social.translations"] {
      func counts(_ record: BlakJaksRecord) -> [Int64?] {
        record.series.first { $0.key == key }?.values ?? []
      }
      #expect(counts(few) == counts(all) && counts(none) == counts(all))
    }
    #expect(few.acceptedScans == all.acceptedScans)
  }
}
