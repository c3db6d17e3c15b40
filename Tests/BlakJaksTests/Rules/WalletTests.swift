import BlakJaks
// Goal: a wallet is the sum of its transactions, never negative, and refusals leave no trace.
// Method: each refusal at its boundary; random days beside a list of transactions.
import Quantities
import Testing

@Suite struct WalletTests {
  private let rules = WalletRules()

  private func wallet(available: Int64) throws -> MemberWallet {
    var wallet = MemberWallet()
    try wallet.credit(MicroUSDT(microunits: available), period: 0)
    wallet.release(through: 0)
    return wallet
  }

  private func active(_ wallet: MemberWallet) throws -> MemberWallet {
    var wallet = wallet
    for step in [CardState.applied, .verified, .active] { try wallet.moveCard(to: step) }
    return wallet
  }

  @Test func aWalletIsSmall() { #expect(MemoryLayout<MemberWallet>.stride <= 40) }

  @Test func aCreditIsPendingUntilTheLatestOneIsConfirmed() throws {
    var wallet = MemberWallet()
    #expect(wallet.pendingPeriod == nil)
    try wallet.credit(.whole(3), period: 7)
    try wallet.credit(.whole(4), period: 9)
    #expect((wallet.available, wallet.pending) == (.zero, .whole(7)))
    #expect(wallet.pendingPeriod == 9)
    #expect(wallet.release(through: 8) == .zero)
    #expect(wallet.pending == .whole(7))
    #expect(wallet.release(through: 9) == .whole(7))
    #expect((wallet.available, wallet.pending) == (.whole(7), .zero))
    #expect(wallet.pendingPeriod == nil)
    #expect(wallet.release(through: 100) == .zero)
    try wallet.credit(.whole(1), period: 3)
    #expect(wallet.pendingPeriod == 3)
    #expect(wallet.transactions == 3)
  }

  @Test func nothingIsNoTransaction() throws {
    var wallet = MemberWallet()
    try wallet.credit(.zero, period: 5)
    #expect(wallet == MemberWallet())
  }

  @Test("A withdrawal is refused without a trace")
  func refusedWithdrawals() throws {
    var wallet = try wallet(available: 6_000_000)
    try wallet.credit(.whole(100), period: 3)
    let before = wallet
    for amount in [0, -1, .min] as [Int64] {
      let amount = MicroUSDT(microunits: amount)
      #expect(throws: WalletRefusal.notPositive(amount)) { try wallet.withdraw(amount, rules) }
    }
    let small = MicroUSDT(microunits: 4_999_999)
    #expect(throws: WalletRefusal.belowMinimum(minimum: .whole(5), amount: small)) {
      try wallet.withdraw(small, rules)
    }
    let large = MicroUSDT(microunits: 6_000_001)
    #expect(throws: WalletRefusal.insufficient(available: .whole(6), amount: large)) {
      try wallet.withdraw(large, rules)
    }
    #expect(wallet == before)
    try wallet.withdraw(.whole(5), rules)
    #expect((wallet.available, wallet.pending) == (.whole(1), .whole(100)))
    #expect(wallet.transactions == 3)
    #expect(throws: WalletRefusal.insufficient(available: .whole(1), amount: .whole(5))) {
      try wallet.withdraw(.whole(5), rules)
    }
  }

  @Test func aFailedWithdrawalIsGivenBack() throws {
    var wallet = try wallet(available: 8_000_000)
    try wallet.withdraw(.whole(8), rules)
    try wallet.reverseWithdrawal(.whole(8))
    #expect(wallet.available == .whole(8))
    #expect(wallet.transactions == 3)
  }

  @Test func onlyAnActiveCardPays() throws {
    var wallet = try wallet(available: 2_000_000)
    for step in [CardState.applied, .verified] {
      #expect(throws: WalletRefusal.noActiveCard(wallet.card)) { try wallet.spend(.whole(1)) }
      try wallet.moveCard(to: step)
    }
    #expect(throws: WalletRefusal.noActiveCard(.verified)) { try wallet.spend(.whole(1)) }
    try wallet.moveCard(to: .active)
    try wallet.spend(.whole(2))
    #expect(wallet.available == .zero)
    let cent = MicroUSDT(microunits: 10_000)
    #expect(throws: WalletRefusal.insufficient(available: .zero, amount: cent)) {
      try wallet.spend(cent)
    }
    #expect(throws: WalletRefusal.notPositive(.zero)) { try wallet.spend(.zero) }
    #expect(wallet.transactions == 2)
  }

  @Test func theCardFunnelHasFourSteps() throws {
    let steps: [(CardState, CardState)] = [
      (.none, .applied), (.applied, .refused), (.applied, .verified), (.verified, .active),
    ]
    let paths: [[CardState]] = [
      [], [.applied], [.applied, .refused], [.applied, .verified], [.applied, .verified, .active],
    ]
    for path in paths {
      var wallet = MemberWallet()
      for step in path { try wallet.moveCard(to: step) }
      for next in CardState.allCases {
        var moved = wallet
        if steps.contains(where: { $0 == (wallet.card, next) }) {
          try moved.moveCard(to: next)
          #expect(moved.card == next)
        } else {
          #expect(throws: WalletRefusal.cardStep(from: wallet.card, to: next)) {
            try moved.moveCard(to: next)
          }
          #expect(moved == wallet)
        }
      }
    }
  }

  @Test func moneyThatLeavesItsRangeIsRefused() throws {
    var wallet = try wallet(available: .max - 10)
    try wallet.credit(MicroUSDT(microunits: 10), period: 1)
    let full = wallet
    #expect(throws: MoneyError.self) {
      try wallet.credit(MicroUSDT(microunits: 1), period: 2)
    }
    #expect(throws: MoneyError.self) { try wallet.reverseWithdrawal(MicroUSDT(microunits: 1)) }
    #expect(wallet == full)
    wallet.release(through: 1)
    #expect(wallet.available == MicroUSDT(microunits: .max))
  }

  @Test func aNegativeCreditStopsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      var wallet = MemberWallet()
      try wallet.credit(MicroUSDT(microunits: -1), period: 0)
    }
  }

  @Test("A wallet is the sum of its transactions", arguments: UInt64(0)..<32)
  func randomDays(seed: UInt64) throws {
    var state = seed &* 2 &+ 1
    func random(_ bound: UInt64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64((state >> 33) % bound)
    }
    var wallet = try active(MemberWallet())
    // Signed amounts, with the window of those that are pending.
    var transactions: [(micro: Int64, pending: Int32?)] = []
    var refused = 0
    for step in 0..<600 {
      let amount = MicroUSDT(microunits: random(12_000_000))
      let before = wallet
      do {
        switch random(6) {
        case 0, 1:
          let window = Int32(step) - Int32(random(4))
          try wallet.credit(amount, period: window)
          if amount > .zero { transactions.append((amount.microunits, window)) }
        case 2:
          let confirmed = Int32(step) - Int32(random(9))
          wallet.release(through: confirmed)
          if transactions.allSatisfy({ $0.pending ?? .min <= confirmed }) {
            for row in transactions.indices { transactions[row].pending = nil }
          }
        case 3:
          try wallet.spend(amount)
          transactions.append((-amount.microunits, nil))
        case 4:
          try wallet.withdraw(amount, rules)
          transactions.append((-amount.microunits, nil))
          if random(3) == 0 {
            try wallet.reverseWithdrawal(amount)
            transactions.append((amount.microunits, nil))
          }
        default: break
        }
      } catch {
        refused += 1
        #expect(wallet == before, "seed \(seed), step \(step)")
      }
      let available = transactions.reduce(0) { $0 + ($1.pending == nil ? $1.micro : 0) }
      let all = transactions.reduce(0) { $0 + $1.micro }
      #expect(wallet.available.microunits == available, "seed \(seed), step \(step)")
      #expect(wallet.balance.microunits == all, "seed \(seed), step \(step)")
      #expect(wallet.available >= .zero && wallet.pending >= .zero)
      #expect(Int(wallet.transactions) == transactions.count)
    }
    #expect(refused > 0)
  }
}
