internal import EventKernel
internal import Foundation
internal import Quantities
internal import RewardModel

extension House: SavablePart {
  /// What changes from window to window.
  private struct Saved: Codable {
    var programme: LiveProgramme
    var chronicle: Chronicle.Saved
    var total: CellTally
    var events: Int64
    var pipeline: PayoutPipeline.Saved
    var partners: WholesaleTrade.Saved
    var rings: BotRings.Saved
    var social: SocialDesk.Saved?
    var velocity: ScanVelocity
    var wins: [Instant]
    var winners: [UInt32]?
    var socialHours: UInt64
    /// 1 of who is active.
    @Packed var isActive: [UInt8]
    var activeAffiliates: Int64
    var referredMembers: Int64
    var compsByTier: PerTier<Int64>
    var floors: PerTier<Int64>
    var checkedAwards: Int
    var lastDue: [String: Int64]
    var next: CellBroadcast
  }

  /// The house after a window.
  func saved() throws -> Data {
    var writer = StateWriter()
    // How many were looked at depends on how late windows were concluded, and so on the threads.
    var total = total
    total.looks = 0
    try writer.add(
      Saved(
        programme: programme, chronicle: chronicle.saved, total: total, events: events,
        pipeline: pipeline.saved, partners: partners.saved, rings: rings.saved,
        social: social?.saved, velocity: velocity, wins: wins, winners: winners,
        socialHours: socialHours,
        isActive: isActive.map { $0 ? 1 : 0 }, activeAffiliates: activeAffiliates,
        referredMembers: referredMembers,
        compsByTier: compsByTier, floors: floors, checkedAwards: audit.checkedAwards,
        lastDue: audit.lastDue, next: next))
    return writer.data
  }

  /// Goes on where a house of the same scenario was saved.
  ///
  /// - Throws: `SavedRunError`, or errors of the decoder.
  mutating func restore(_ data: Data, at instant: Instant) throws {
    var reader = StateReader(data)
    let saved = try reader.next(Saved.self)
    guard saved.isActive.count == isActive.count, (saved.social == nil) == (social == nil),
      (saved.winners == nil) == (winners == nil)
    else {
      throw SavedRunError.otherShape
    }
    programme = saved.programme
    chronicle.saved = saved.chronicle
    total = saved.total
    events = saved.events
    try pipeline.restore(saved.pipeline)
    partners.saved = saved.partners
    rings.saved = saved.rings
    if let own = saved.social { social?.saved = own }
    velocity = saved.velocity
    wins = saved.wins
    winners = saved.winners
    socialHours = saved.socialHours
    isActive = saved.isActive.map { $0 == 1 }
    activeAffiliates = saved.activeAffiliates
    referredMembers = saved.referredMembers
    compsByTier = saved.compsByTier
    floors = saved.floors
    audit.checkedAwards = saved.checkedAwards
    audit.lastDue = saved.lastDue
    next = saved.next
  }
}
