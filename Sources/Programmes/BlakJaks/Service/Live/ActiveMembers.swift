internal import RewardModel

/// Members with an accepted scan within the last local days: 4 bytes a member, and O(1) a scan.
struct ActiveMembers: Sendable, Equatable, Codable {
  /// Days that count, today among them.
  static let days = 30

  /// Today, counted from 1970.
  private var today: Int
  /// The day of each member's last accepted scan; long ago for none.
  @Packed private var last: [Int32] = []
  /// Members by the day of their last scan, each day at its number modulo `days`.
  private var byDay = [Int64](repeating: 0, count: ActiveMembers.days)

  /// - Parameter today: Number of the first local day, from 1970.
  init(today: Int) { self.today = today }

  /// How many there are.
  var count: Int64 { byDay.reduce(0, +) }

  /// A member's scan was accepted today.
  mutating func scan(_ member: UInt32) {
    let row = Int(member)
    while last.count <= row { last.append(.min) }
    let before = Int(last[row])
    guard before != today else { return }
    if before > today - Self.days { byDay[before % Self.days] -= 1 }
    byDay[today % Self.days] += 1
    last[row] = Int32(today)
  }

  /// The next local day begins.
  mutating func turnDay() {
    today += 1
    byDay[today % Self.days] = 0
  }
}
