internal import EventKernel
package import Quantities
package import RewardModel

/// The state machine of a scenario's rules with the requests of its own world.
package struct BlakJaksEngine: StressedEngine {
  package static let kinds = ProgrammeRequest.Kind.allCases.map(\.rawValue)
  package static let counted = "scans"

  private let input: WorldInput
  private let entries: [JournalEntry]
  private let places: [UInt8]
  private var machine: ProgrammeState

  /// - Parameters:
  ///   - input: The scenario that the requests are of.
  ///   - entries: In the order of a world's journal.
  /// - Throws: `MoneyError.overflow` when a reward of the rules leaves 64 bits.
  package init(_ input: WorldInput, _ entries: [JournalEntry]) throws(MoneyError) {
    self.input = input
    self.entries = entries
    let order = Dictionary(uniqueKeysWithValues: zip(ProgrammeRequest.Kind.allCases, UInt8(0)...))
    places = entries.map { order[$0.request.kind, default: 0] }
    machine = try ProgrammeState(
      rules: input.rules, firstDate: input.calendar.dates[0], codes: CodeBook(key: input.seed),
      draws: SeededDraws(seed: input.seed))
  }

  package var count: Int { entries.count }
  package var end: Instant? { entries.last?.time }
  package var state: any Encodable { machine }
  /// See `ProgrammeRequest.Kind`.
  package func kind(at place: Int) -> Int { Int(places[place]) }

  /// Commits it to a `ProgrammeState`.
  package mutating func commit(_ place: Int) throws -> StressAnswer {
    let entry = entries[place]
    do {
      switch try machine.commit(entry.request, at: entry.time) {
      case .scan(let answer): return answer.outcome == .accepted ? .accepted : .refused
      case .refused: return .refused
      case .done, .amount, .order, .cartOrder, .message, .stream, .transfers, .payout: return .done
      }
    } catch {
      switch error {
      case .money(let cause): throw cause
      case .limit(let cause): throw cause
      }
    }
  }

  /// Checks `LiveProgramme.invariants`.
  package func check() throws {
    for invariant in LiveProgramme.invariants {
      try invariant.check(
        machine.programme, scenario: input.scenario, seed: input.seed,
        at: end ?? input.calendar.start)
    }
  }
}

extension BlakJaksProgramme: StressedProgramme {
  /// Runs a `World` and keeps its journal.
  package static func engine(
    _ frame: RunFrame, _ settings: BlakJaksSettings, threads: Int, limit: Int,
    proceed: (RunProgress) -> Bool
  ) throws -> BlakJaksEngine {
    let input = WorldInput(frame, settings)
    var entries: [JournalEntry] = []
    var world = try World(
      input, threads: threads,
      journal: { entry in
        if entries.count < limit { entries.append(entry) }
      })
    _ = try world.run { proceed($0) && entries.count < limit }
    return try BlakJaksEngine(input, entries)
  }
}

extension ProgrammeRequest {
  /// What a request asks for, without its numbers.
  enum Kind: String, CaseIterable, Sendable {
    case signUp = "sign_up"
    case refer
    case settleGuarantee = "settle_guarantee"
    case printTins = "print_tins"
    case scan
    case sell
    case orderWholesale = "order_wholesale"
    case changeCart = "change_cart"
    case placeOrder = "place_order"
    case moveOrder = "move_order"
    case vaultChips = "vault_chips"
    case redeemChips = "redeem_chips"
    case withdraw
    case reverseWithdrawal = "reverse_withdrawal"
    case payByCard = "pay_by_card"
    case moveCard = "move_card"
    case post
    case stream
    case turnDay = "turn_day"
    case openMorning = "open_morning"
    case reconcile
    case payout
  }

  /// What it asks for.
  var kind: Kind {
    switch self {
    case .signUp: .signUp
    case .refer: .refer
    case .settleGuarantee: .settleGuarantee
    case .printTins: .printTins
    case .scan, .scanTin: .scan
    case .sell: .sell
    case .orderWholesale: .orderWholesale
    case .addToCart, .updateCart, .removeFromCart: .changeCart
    case .placeOrder, .orderCart: .placeOrder
    case .moveOrder: .moveOrder
    case .vaultChips: .vaultChips
    case .redeemChips: .redeemChips
    case .withdraw: .withdraw
    case .reverseWithdrawal: .reverseWithdrawal
    case .payByCard: .payByCard
    case .moveCard: .moveCard
    case .post: .post
    case .startStream, .endStream: .stream
    case .turnDay: .turnDay
    case .openMorning: .openMorning
    case .reconcile: .reconcile
    case .payout: .payout
    }
  }
}
