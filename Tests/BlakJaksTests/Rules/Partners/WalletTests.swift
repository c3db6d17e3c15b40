import BlakJaks
// Goal: a wallet is the sum of its transactions, never negative, and refusals leave no trace.
// Method: each refusal at its boundary; random days beside a list of transactions.
import Quantities
import Testing

@Suite struct WalletTests {
  private let rules = WalletRules()

  private func wallet(available: Int64) throws -> MemberWallet {
    var wallet = MemberWallet()
    try wallet.credit(MicroUSDT(microunits: available))
    wallet.release(MicroUSDT(microunits: available))
    return wallet
  }

  private func active(_ wallet: MemberWallet) throws -> MemberWallet {
    var wallet = wallet
    for step in [CardState.applied, .verified, .active] { try wallet.moveCard(to: step) }
    return wallet
  }

  @Test func aWalletIsSmall() { #expect(MemoryLayout<MemberWallet>.stride <= 24) }

  @Test func aCreditIsPendingUntilItIsReleasedWhateverElseIsPending() throws {
    var wallet = MemberWallet()
    try wallet.credit(.whole(3))
    try wallet.credit(.whole(4))
    #expect((wallet.available, wallet.pending) == (.zero, .whole(7)))
    wallet.release(.whole(4))
    #expect((wallet.available, wallet.pending) == (.whole(4), .whole(3)))
    try wallet.credit(.whole(1))
    wallet.release(.whole(3))
    #expect((wallet.available, wallet.pending) == (.whole(7), .whole(1)))
    wallet.release(.zero)
    #expect(wallet.transactions == 3)
  }

  @Test func whatIsNotPendingIsNotReleased() async {
    await #expect(processExitsWith: .failure) {
      var wallet = MemberWallet()
      try wallet.credit(.whole(1))
      wallet.release(.whole(2))
    }
    await #expect(processExitsWith: .failure) {
      var wallet = MemberWallet()
      wallet.release(MicroUSDT(microunits: -1))
    }
  }

  @Test func nothingIsNoTransaction() throws {
    var wallet = MemberWallet()
    try wallet.credit(.zero)
    #expect(wallet == MemberWallet())
  }

  @Test("A withdrawal is refused without a trace")
  func refusedWithdrawals() throws {
    var wallet = try wallet(available: 6_000_000)
    try wallet.credit(.whole(100))
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
    try wallet.credit(MicroUSDT(microunits: 10))
    let full = wallet
    #expect(throws: MoneyError.self) {
      try wallet.credit(MicroUSDT(microunits: 1))
    }
    #expect(throws: MoneyError.self) { try wallet.reverseWithdrawal(MicroUSDT(microunits: 1)) }
    #expect(wallet == full)
    wallet.release(MicroUSDT(microunits: 10))
    #expect(wallet.available == MicroUSDT(microunits: .max))
  }

  @Test func aNegativeCreditStopsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      var wallet = MemberWallet()
      try wallet.credit(MicroUSDT(microunits: -1))
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
    var transactions: [(micro: Int64, isPending: Bool)] = []
    var refused = 0
    for step in 0..<600 {
      let amount = MicroUSDT(microunits: random(12_000_000))
      let before = wallet
      do {
        switch random(6) {
        case 0, 1:
          try wallet.credit(amount)
          if amount > .zero { transactions.append((amount.microunits, true)) }
        case 2:
          // Any one of them.
          let pending = transactions.indices.filter { transactions[$0].isPending }
          guard !pending.isEmpty else { break }
          let row = pending[Int(random(UInt64(pending.count)))]
          wallet.release(MicroUSDT(microunits: transactions[row].micro))
          transactions[row].isPending = false
        case 3:
          try wallet.spend(amount)
          transactions.append((-amount.microunits, false))
        case 4:
          try wallet.withdraw(amount, rules)
          transactions.append((-amount.microunits, false))
          if random(3) == 0 {
            try wallet.reverseWithdrawal(amount)
            transactions.append((amount.microunits, false))
          }
        default: break
        }
      } catch {
        refused += 1
        #expect(wallet == before, "seed \(seed), step \(step)")
      }
      let available = transactions.reduce(0) { $0 + ($1.isPending ? 0 : $1.micro) }
      let all = transactions.reduce(0) { $0 + $1.micro }
      #expect(wallet.available.microunits == available, "seed \(seed), step \(step)")
      #expect(wallet.balance.microunits == all, "seed \(seed), step \(step)")
      #expect(wallet.available >= .zero && wallet.pending >= .zero)
      #expect(Int(wallet.transactions) == transactions.count)
    }
    #expect(refused > 0)
  }
}
