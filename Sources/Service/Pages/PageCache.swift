/// Pages for whoever asks, which takes the writer's time: where many ask at once, they get a page
/// that was just made.
actor PageCache<Page: Sendable> {
  private struct Kept {
    var page: Page
    /// Pages that may be made now; grows again with time.
    var allowance: Double
    var time: ContinuousClock.Instant
  }

  /// Pages of one id that are made at once, and a second in the long run.
  private static var burst: Double { 20 }
  private static var perSecond: Double { 10 }

  private var kept: [String: Kept] = [:]

  /// A page, made now unless too many were made just before.
  ///
  /// - Parameter make: Makes it.
  /// - Throws: What `make` throws; nothing is then kept.
  func page(_ id: String, make: @Sendable () async throws -> Page) async throws -> Page {
    let now = ContinuousClock.now
    var allowance = Self.burst
    if let last = kept[id] {
      let grown = last.allowance + (now - last.time).seconds * Self.perSecond
      allowance = min(grown, Self.burst)
      guard allowance >= 1 else { return last.page }
      kept[id]?.allowance = allowance - 1
      kept[id]?.time = now
    }
    let page = try await make()
    if kept[id] == nil {
      kept[id] = Kept(page: page, allowance: allowance - 1, time: now)
    } else {
      kept[id]?.page = page
    }
    return page
  }
}
