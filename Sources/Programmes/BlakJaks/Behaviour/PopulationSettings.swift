package import Population
package import Quantities

/// How the synthetic members behave, as one scenario sets it.
///
/// Rates and times are in the unit that a field's comment names. Probabilities are in 0...1.
package struct PopulationSettings: Sendable, Equatable {
  /// Members signed up by the run's end (for `rate` adoption: a bound on their number).
  package var members = 100_000
  package var adoption = AdoptionSettings()
  package var purchase = PurchaseSettings()
  package var tins = TinSettings()
  package var season = SeasonSettings()
  package var referral = ReferralSettings()
  package var mischief = MischiefSettings()
  package var shop = ShopSettings()
  package var chat = ChatSettings()
  package var wallet = WalletSettings()
  package var wholesale = WholesaleSettings()
  package var response = ResponseSettings()
  /// Share of applicants who are under 21 and refused at the age gate.
  package var underAge = 0.02

  /// The defaults.
  package init() {}
}

/// Tins bought and scanned.
package struct TinSettings: Sendable, Equatable {
  /// Tins a week bought by an average active member.
  package var perWeek = 2.5
  /// Gamma shape of that rate over members.
  package var shape = 1.2
  /// Tins a purchase on average, 1 or more: one, and a Poisson number more.
  package var perPurchase = 5.0
  /// Share of tins that get scanned.
  package var scanned = 0.60
  /// Part of a member's mean gap between purchases over which the tins of one are opened, 0...10; 0
  /// opens all of them at once.
  package var openedOver = 1.0
  /// Share of purchases made in the shop; the rest is retail.
  package var shop = 0.35

  /// `openedOver`, but above 0, as waits for openings are multiplied by infinity where they never end.
  var openingPart: Double { max(openedOver, 1e-20) }
}

/// Submissions that are not honest scans, each as a number per honest scan.
package struct MischiefSettings: Sendable, Equatable {
  /// The same code submitted once more.
  package var duplicates = 0.02
  /// Text that is not a code.
  package var malformed = 0.01
  /// Well-formed codes made up.
  package var guessed = 0.002
  /// Share of scanned tins whose code the member photographs and passes on.
  package var shared = 0.0
  /// Others who submit such a code on average, 1 or more: one, and a Poisson number more.
  package var sharedWith = 3.0
  /// Mean time from the scan to each of these submissions.
  package var sharedAfter = TimeSpan.hours(12)
  /// Rings of accounts that submit codes by program.
  package var rings: [BotRing] = []
}

/// Accounts that submit codes by program for some days.
package struct BotRing: Sendable, Equatable {
  /// The local date on which they begin.
  package var date: CivilDate
  /// Local days that it lasts, 1 or more.
  package var days = 7
  /// How many accounts.
  package var accounts = 100
  /// Submissions an hour of one account, on average.
  package var perHour = 60.0
  /// Share of the submissions that copy codes of tins already scanned; the rest is made up.
  package var copied = 0.2
}

extension AdoptionCurve {
  /// The instants of all sign-ups of a population, ascending.
  package static func signUps(
    _ settings: PopulationSettings, calendar: ProgrammeCalendar, season: SeasonTable, seed: UInt64
  ) -> [Instant] {
    signUps(
      settings.adoption, members: settings.members, calendar: calendar, season: season, seed: seed)
  }
}
