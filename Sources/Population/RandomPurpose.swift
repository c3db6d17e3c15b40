/// What a random stream is for. Each purpose has streams of its own, so that a draw added to one
/// shifts no other: members keep their luck between scenarios that differ elsewhere.
public enum RandomPurpose: UInt32, CaseIterable, Sendable {
  case adoption = 1
  case traits = 2
  case purchase = 3
  case scan = 4
  case affiliate = 5
  case referrer = 6
  case ageGate = 7
  case draw = 8
  case guess = 9
  case gap = 10
  case walletTraits = 20
  case walletVisit = 21
  case wholesaleAccount = 22
  case wholesaleOrder = 23
}
