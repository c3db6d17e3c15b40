/// What a random stream is for. Each purpose has streams of its own, so that a draw added to one
/// shifts no other: members keep their random numbers between scenarios that differ elsewhere.
public enum RandomPurpose: UInt32, CaseIterable, Sendable {
  case adoption = 1
  case traits = 2
  case purchase = 3
  case scan = 4
  case refers = 5
  case referrer = 6
  case ageGate = 7
  case draw = 8
  case guess = 9
  case gap = 10
  case payout = 11
  case chainFault = 12
  case botRing = 13
  case transactionHash = 14
  case scanQueue = 15
  case sharedTin = 16
  case lapse = 17
  case residence = 30
  case favourite = 31
  case order = 32
  case basket = 33
  case refund = 34
  case shopVisits = 35
  case drawnFromRetail = 36
  case chat = 40
  case translation = 41
  case stream = 42
  case proposal = 43
  case chatSample = 44
  case socialSample = 45
  case walletTraits = 20
  case walletVisit = 21
  case wholesaleAccount = 22
  case wholesaleOrder = 23
  case wholesaleScanned = 24
  case wholesaleTin = 25
  case visit = 50
  case item = 51
  case device = 52
  case subscription = 53
  case ceremony = 54
  case look = 55
  case crowd = 60
  case fault = 61
}
