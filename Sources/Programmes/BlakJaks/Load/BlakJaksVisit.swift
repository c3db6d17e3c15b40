internal import EventKernel
internal import Foundation
package import Quantities
package import RewardModel

/// A member's errand in the shop: one round of visits for one need.
struct ShopErrand: Sendable {
  /// Index of the purchase in the buying model.
  var need: UInt32
  var round: UInt16
  var course: ShopRound
}

/// Somebody applies to become a member, after others who are too young.
struct Application: Sendable {
  /// Applicants under age who are refused just before.
  var refusedBefore: Int
  /// Where the member lives, as two letters; empty where the scenario does not say.
  var state: String
  var referrer: UInt32?
}

/// A member comes to a service to do one thing.
package struct BlakJaksVisit: LoadSession {
  /// What for.
  enum Course: Sendable {
    case join(Application)
    case tin(ScanDraw, UInt32)
    case passedCode(String)
    case ring(CrowdRings.Submission)
    case shop(ShopErrand)
    case wallet(WalletVisit, UInt32)
    case chat(channel: Int)
    case insights(page: Int)
    case stream(begins: Bool)
    case watch
  }

  /// Who begins and ends streams.
  static let programme = UInt32.max

  package let time: Instant
  package let member: UInt32
  let course: Course
  /// Steps so far.
  var stage = 0
  /// The code of the tin that it is for, and the tin's place in the member's cell.
  var code = ""
  var tin = 0
  /// Whether it has asked for money.
  var withdraws = false
  /// Whether it has asked to join as somebody whom a member referred.
  var isReferred = false
  /// Whether it has become a member.
  var hasApplied = false
  /// Steps of the shop that are still to come, the next one last.
  var plan: [LoadStep] = []
  /// Where made-up codes come from.
  var guesses: RandomStream?

  init(time: Instant, member: UInt32, course: Course) {
    self.time = time
    self.member = member
    self.course = course
  }

  package var journey: Int {
    let journey: BlakJaksCrowd.Journey =
      switch course {
      case .join: .join
      case .tin: .scan
      case .passedCode: .shared
      case .ring: .ring
      case .shop: .shop
      case .wallet: .wallet
      case .chat: .chat
      case .insights: .insights
      case .stream, .watch: .stream
      }
    return journey.rawValue
  }

  package var needsAccount: Bool { member != Self.programme }
}

extension BlakJaksCrowd {
  /// What members come for.
  enum Journey: Int, CaseIterable {
    case join, scan, shared, ring, shop, wallet, chat, insights, stream
  }

  /// What they ask for.
  enum Step: Int, CaseIterable {
    case signUp, logIn
    case scan
    case products, cartAdd, cart, cartRemove, tax, order
    case me, wallet, withdraw, transactions
    case channels, messages, message
    case overview, treasury, systems, comps, partners
    case streamStart, live, streamEnd

    var shape: LoadStepShape {
      switch self {
      case .signUp:
        LoadStepShape(
          "sign_up", ["applicant", "birth_date", "state", "referrer"], takes: ["name"],
          changes: true)
      case .logIn: LoadStepShape("log_in", ["applicant"], takes: ["token"])
      case .scan: LoadStepShape("scan", ["code"], takes: ["tier"], changes: true)
      case .products: LoadStepShape("products")
      case .cartAdd: LoadStepShape("cart_add", ["sku", "tins"], changes: true)
      case .cart: LoadStepShape("cart")
      case .cartRemove: LoadStepShape("cart_remove", ["sku"], changes: true)
      case .tax: LoadStepShape("tax", ["tins"])
      case .order: LoadStepShape("order", changes: true)
      case .me: LoadStepShape("me", takes: ["tier"])
      case .wallet: LoadStepShape("wallet", takes: ["available"])
      case .withdraw: LoadStepShape("withdraw", ["amount"], changes: true)
      case .transactions: LoadStepShape("transactions")
      case .channels: LoadStepShape("channels")
      case .messages: LoadStepShape("messages", ["channel"])
      case .message: LoadStepShape("message", ["channel", "text"], changes: true)
      case .overview: LoadStepShape("insights_overview")
      case .treasury: LoadStepShape("insights_treasury")
      case .systems: LoadStepShape("insights_systems")
      case .comps: LoadStepShape("insights_comps")
      case .partners: LoadStepShape("insights_partners")
      case .streamStart: LoadStepShape("stream_start", ["title"], changes: true)
      case .live: LoadStepShape("stream")
      case .streamEnd: LoadStepShape("stream_end", changes: true)
      }
    }

    func with(_ values: String...) -> LoadStep { LoadStep(rawValue, values) }
  }

  package static let journeys = Journey.allCases.map { "\($0)" }
  package static let steps = Step.allCases.map(\.shape)
  package static let joining: LoadJoining? = LoadJoining(
    journey: Journey.join.rawValue, steps: [Step.signUp.rawValue, Step.logIn.rawValue])
  package static let origins = [Journey.shared.rawValue: Journey.scan.rawValue]

  /// See `LoadCrowd.step`.
  package mutating func step(
    _ visit: inout BlakJaksVisit, after answer: LoadAnswer?, _ supply: inout some LoadSupply
  ) -> LoadStep? {
    defer { visit.stage += 1 }
    switch visit.course {
    case .join(let application): return apply(application, &visit, answer, &supply)
    case .tin(let draw, let index): return scan(draw, index, &visit, answer, &supply)
    case .passedCode(let code): return visit.stage == 0 ? Step.scan.with(code) : nil
    case .ring(let submission):
      return visit.stage == 0 ? Step.scan.with(text(submission)) : nil
    case .shop(let errand): return buy(errand, &visit, answer)
    case .wallet(let draw, let index): return look(draw, index, &visit, answer)
    case .chat(let channel): return chat(channel, visit, answer)
    case .stream(let begins):
      guard visit.stage == 0 else { return nil }
      return begins ? Step.streamStart.with("Live stream") : Step.streamEnd.with()
    case .watch: return watch(visit)
    case .insights(let page):
      return visit.stage == 0 ? LoadStep(Step.overview.rawValue + page) : nil
    }
  }

  // MARK: - Joining

  /// Years that those who are refused for their age have to live, and those who are not; far enough
  /// from any least age that a service whose clock runs some years ahead decides the same.
  private static let ages = (young: 14, adult: 40)

  /// Applicants who are too young; then the member, who comes without a referral where the program
  /// takes none any more, and logs in.
  private mutating func apply(
    _ application: Application, _ visit: inout BlakJaksVisit, _ answer: LoadAnswer?,
    _ supply: inout some LoadSupply
  ) -> LoadStep? {
    func signUp(_ applicant: Int, age: Int, _ referrer: String) -> LoadStep {
      let year = calendar.dates[0].year - age
      return Step.signUp.with("\(applicant)", "\(year)-01-31", application.state, referrer)
    }
    let place = visit.stage - application.refusedBefore
    guard place >= 0 else { return signUp(visit.stage + 1, age: Self.ages.young, "") }
    if place == 0 {
      visit.isReferred = application.referrer != nil
      return signUp(
        0, age: Self.ages.adult, application.referrer.map { supply.name(of: $0) } ?? "")
    }
    if visit.isReferred, answer?.outcome == .refused {
      visit.isReferred = false
      return signUp(0, age: Self.ages.adult, "")
    }
    guard !visit.hasApplied, answer?.outcome == .done else { return nil }
    visit.hasApplied = true
    return Step.logIn.with("0")
  }

  // MARK: - Scans

  /// The own code, the same once more, mistyped ones, made-up ones.
  private mutating func scan(
    _ draw: ScanDraw, _ index: UInt32, _ visit: inout BlakJaksVisit, _ answer: LoadAnswer?,
    _ supply: inout some LoadSupply
  ) -> LoadStep? {
    if visit.stage == 0 {
      visit.code = supply.code()
      if behaviour.sharesTins { passOn(visit.code, visit, index) }
      return Step.scan.with(visit.code)
    }
    if visit.stage == 1, answer?.outcome == .done { noteScanned(visit) }
    if visit.stage == 1, let word = answer?.values.first ?? nil,
      let tier = Tier.allCases.first(where: { $0.key == word })
    {
      note(tier, of: visit.member)
    }
    if visit.stage <= draw.duplicates { return Step.scan.with(visit.code) }
    let more = visit.stage - draw.duplicates
    guard more <= draw.malformed + draw.guesses else { return nil }
    var stream = visit.guesses ?? behaviour.guessing(member: visit.member, index: index)
    defer { visit.guesses = stream }
    return more <= draw.malformed
      ? Step.scan.with(behaviour.mistyped(visit.code, &stream))
      : Step.scan.with(behaviour.guess(&stream).text)
  }

  // MARK: - Shop

  private mutating func buy(
    _ errand: ShopErrand, _ visit: inout BlakJaksVisit, _ answer: LoadAnswer?
  ) -> LoadStep? {
    if visit.stage == 0 { visit.plan = plan(errand, visit.member).reversed() }
    // Who cannot go on gives the purchase up.
    let goesOn = answer.map { $0.outcome == .done } ?? true
    if goesOn, let next = visit.plan.popLast() { return next }
    finish(errand, visit, ordered: goesOn)
    return nil
  }

  /// Visit by visit: most look, some fill a cart, the last one may order.
  private func plan(_ errand: ShopErrand, _ member: UInt32) -> [LoadStep] {
    let failed = errand.course.failed
    let isOrder = errand.course.end == .order
    let basket = basket(errand, of: member)
    let favourite = Product(checked: basket.favourite).sku
    let second = Product(checked: basket.second).sku
    let tins = min(basket.favouriteTins + basket.secondTins, Cart.tinsMaximum)
    let liked = min(basket.favouriteTins, tins)
    var steps: [LoadStep] = []
    func fill() {
      steps.append(Step.products.with())
      if liked > 0 { steps.append(Step.cartAdd.with(favourite, "\(liked)")) }
      if tins > liked { steps.append(Step.cartAdd.with(second, "\(tins - liked)")) }
      steps.append(Step.cart.with())
    }
    func empty() {
      if liked > 0 { steps.append(Step.cartRemove.with(favourite)) }
      if tins > liked { steps.append(Step.cartRemove.with(second)) }
    }
    let looks = Int(clamping: errand.course.visits) - Int(failed.total) - (isOrder ? 1 : 0)
    for _ in 0..<max(looks, 0) { steps.append(Step.products.with()) }
    for place in 0..<failed.total {
      fill()
      // Tax is asked for on the page of the payment.
      if place >= failed.cart + failed.address + failed.age {
        steps.append(Step.tax.with("\(tins)"))
      }
      empty()
    }
    if isOrder {
      fill()
      steps.append(Step.tax.with("\(tins)"))
      steps.append(Step.order.with())
    }
    return steps
  }

  // MARK: - Wallet and chat

  private mutating func look(
    _ draw: WalletVisit, _ index: UInt32, _ visit: inout BlakJaksVisit, _ answer: LoadAnswer?
  ) -> LoadStep? {
    switch visit.stage {
    case 0: return Step.me.with()
    case 1:
      if let word = answer?.values.first ?? nil,
        let tier = Tier.allCases.first(where: { $0.key == word })
      {
        note(tier, of: visit.member)
      }
      return Step.wallet.with()
    case 2:
      guard draw.withdraws, let text = answer?.values.first ?? nil, let dollars = Double(text),
        dollars < 1e12,
        let amount = try? wallet.withdrawal(
          of: MicroUSDT(microunits: Int64((dollars * 1e6).rounded()))),
        amount >= minimumWithdrawal
      else { return Step.transactions.with() }
      // Whole cents, as people write amounts.
      let cents = amount.microunits / 10_000
      visit.withdraws = true
      return Step.withdraw.with("\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)")
    case 3 where visit.withdraws: return Step.transactions.with()
    default: return nil
    }
  }

  private func chat(
    _ channel: Int, _ visit: BlakJaksVisit, _ answer: LoadAnswer?
  ) -> LoadStep? {
    let id = channels[channel].id
    switch visit.stage {
    case 0: return Step.channels.with()
    case 1: return Step.messages.with(id)
    case 2: return Step.message.with(id, "hello from \(visit.member)")
    default: return nil
    }
  }

  /// A viewer opens the stream and what is written beside it. What viewers write is among the chat's
  /// messages.
  private func watch(_ visit: BlakJaksVisit) -> LoadStep? {
    switch visit.stage {
    case 0: return Step.live.with()
    case 1: return channels.first { $0.id == ChatPlaces.streamID }.map { Step.messages.with($0.id) }
    default: return nil
    }
  }
}
