/// How the synthetic members behave, as one scenario sets it.
///
/// Rates and times are in the unit that a field's comment names. Probabilities lie in 0...1.
public struct PopulationSettings: Sendable, Equatable {
  /// Members signed up by the run's end (for `rate` adoption: a bound on their number).
  public var members = 100_000
  public var adoption = AdoptionSettings()
  public var purchase = PurchaseSettings()
  public var tins = TinSettings()
  public var season = SeasonSettings()
  public var referral = ReferralSettings()
  public var mischief = MischiefSettings()
  public var shop = ShopSettings()
  public var chat = ChatSettings()
  public var wallet = WalletSettings()
  public var wholesale = WholesaleSettings()
  /// Share of applicants who are under 21 and refused at the age gate.
  public var underAge = 0.02

  /// The defaults.
  public init() {}
}

/// How sign-ups are spread over the run.
public enum AdoptionModel: String, CaseIterable, Sendable {
  /// Bass diffusion: innovators and imitators.
  case bass
  /// Given numbers a month.
  case plan
  /// A Poisson process of a given rate.
  case rate
  /// Everybody at the first instant.
  case cohort
}

/// When members sign up.
public struct AdoptionSettings: Sendable, Equatable {
  public var model = AdoptionModel.bass
  /// Bass coefficient of innovation a year, more than 0.
  public var innovation = 0.03
  /// Bass coefficient of imitation a year, 0 or more.
  public var imitation = 0.38
  /// Bass market size; nil sets it so that `members` have signed up at the run's end.
  public var market: Int?
  /// Sign-ups of each calendar month for `plan`; the last holds for later months.
  public var monthly: [Int] = []
  /// Sign-ups a day for `rate`.
  public var perDay = 100.0

  /// The defaults.
  public init() {}
}

/// Which buy-till-you-die model members follow.
public enum PurchaseModel: String, CaseIterable, Sendable {
  /// Fader, Hardie and Lee 2005, doi:10.1287/mksc.1040.0098: may leave after a repeat purchase.
  case bgNbd = "bg_nbd"
  /// Batislam, Denizel and Filiztekin 2007, doi:10.1016/j.ijresmar.2006.12.005: may also leave
  /// after the first.
  case mbgNbd = "mbg_nbd"
  /// Schmittlein, Morrison and Colombo 1987, doi:10.1287/mnsc.33.1.1: an exponential lifetime.
  case paretoNbd = "pareto_nbd"
}

/// Purchase rates and dropout across members; times in weeks of 7 × 24 hours.
public struct PurchaseSettings: Sendable, Equatable {
  public var model = PurchaseModel.mbgNbd
  /// Shape of the gamma distribution of purchase rates; nil takes the shape of `tins`.
  public var r: Double?
  /// Rate of that gamma distribution in weeks; nil follows from `tins`.
  public var alpha: Double?
  /// First parameter of the beta distribution of the dropout probability (BG, MBG).
  public var a = 0.4
  /// Second parameter of the same.
  public var b = 16.0
  /// Shape of the gamma distribution of dropout rates (Pareto/NBD).
  public var s = 0.606
  /// Rate of the same, in weeks.
  public var beta = 11.669
  /// Shape k of the Erlang gaps between purchases; 1 is the published models' Poisson process.
  public var erlang = 2

  /// The defaults.
  public init() {}
}

/// Tins bought and scanned.
public struct TinSettings: Sendable, Equatable {
  /// Tins a week bought by an average active member.
  public var perWeek = 3.0
  /// Gamma shape of that rate over members.
  public var shape = 1.2
  /// Tins a purchase on average, 1 or more: one, and a Poisson number more.
  public var perPurchase = 5.0
  /// Share of tins that get scanned.
  public var scanned = 0.60
  /// Share of purchases made in the shop; the rest is retail.
  public var shop = 0.35

  /// The defaults.
  public init() {}
}

/// Whether and how demand follows the clock.
public struct SeasonSettings: Sendable, Equatable {
  /// False makes every instant alike, as the published models have it.
  public var enabled = true
  /// 24 weights by local hour of day; only their ratios count.
  public var hours: [Double] = [
    0.55, 0.38, 0.26, 0.18, 0.16, 0.20, 0.35, 0.60, 0.80, 0.92, 1.00, 1.08,
    1.15, 1.15, 1.12, 1.15, 1.25, 1.42, 1.62, 1.80, 1.90, 1.75, 1.35, 0.90,
  ]
  /// 7 weights from Monday to Sunday; only their ratios count.
  public var weekdays: [Double] = [0.90, 0.90, 0.95, 1.00, 1.15, 1.20, 0.90]
  /// Factors of single local dates (`YYYY-MM-DD`).
  public var holidays: [HolidayFactor] = []

  /// The defaults.
  public init() {}
}

/// A dated factor of demand.
public struct HolidayFactor: Sendable, Equatable {
  /// `YYYY-MM-DD`.
  public var date: String
  /// 0 or more; 1 changes nothing.
  public var factor: Double

  /// - Parameters:
  ///   - date: `YYYY-MM-DD`.
  ///   - factor: 0 or more.
  public init(date: String, factor: Double) {
    self.date = date
    self.factor = factor
  }
}

/// Referrals.
public struct ReferralSettings: Sendable, Equatable {
  /// Share of members who refer others.
  public var affiliates = 0.10
  /// Share of sign-ups that were referred by one of them.
  public var referred = 0.15
  /// Factor on a referred member's dropout: 0.82 is 18 % less often.
  public var dropoutFactor = 0.82

  /// The defaults.
  public init() {}
}

/// Submissions that are no honest scans, each as a number per honest scan.
public struct MischiefSettings: Sendable, Equatable {
  /// The same code submitted once more.
  public var duplicates = 0.02
  /// Text that is no code.
  public var malformed = 0.01
  /// Well-formed codes made up.
  public var guessed = 0.002
  /// Rings of accounts that submit codes by program.
  public var rings: [BotRing] = []

  /// The defaults.
  public init() {}
}

/// Accounts that submit codes by program for some days.
public struct BotRing: Sendable, Equatable {
  /// The local date on which they begin, `YYYY-MM-DD`.
  public var date: String
  /// Local days that it lasts, 1 or more.
  public var days: Int
  /// How many accounts.
  public var accounts: Int
  /// Submissions an hour of one account, on average.
  public var perHour: Double
  /// Share of the submissions that copy codes of tins already scanned; the rest is made up.
  public var copied: Double

  /// A ring.
  public init(
    date: String, days: Int = 7, accounts: Int = 100, perHour: Double = 60, copied: Double = 0.2
  ) {
    self.date = date
    self.days = days
    self.accounts = accounts
    self.perHour = perHour
    self.copied = copied
  }
}
