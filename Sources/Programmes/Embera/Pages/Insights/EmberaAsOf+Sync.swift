internal import Quantities
internal import RewardModel

extension EmberaAsOf {
  /// How devices and the server met: what waited, for how long, and what conflicted.
  var sync: [PageBlock] {
    let sync = record.sync
    func row(_ key: String, _ label: String, _ count: Int64, note: String = "") -> PageFigure {
      PageFigure(key, label, .count, deviceTotal(count), note: totalNote(note, deviceAbsence))
    }
    func lag(_ key: String, _ label: String, _ span: TimeSpan?) -> PageFigure {
      PageFigure(
        key, label, .duration, deviceTotal(span?.microseconds), note: totalNote("", deviceAbsence))
    }
    return [
      .figures(
        "offline_orders", "Orders placed offline",
        [
          PageFigure(
            "waiting_now", "Waiting on devices now", .count,
            deviceAbsence ?? .number(day.waiting), note: "orders and redemptions"),
          row("offline_orders", "Placed offline", sync.offlineOrders),
          row("arrived", "Arrived at the server", sync.arrived),
          row("waiting_orders", "Still waiting", sync.waitingOrders),
          lag("lag_mean", "Mean wait", sync.meanLag), lag("lag_p95", "P95 wait", sync.lagP95),
          lag("lag_longest", "Longest wait", sync.longestLag),
          row("syncs", "Syncs", sync.syncs),
          row("resent", "Sent again", sync.resent, note: "each counted once"),
        ]),
      .figures(
        "offline_redemptions", "Redemptions made offline",
        [
          row("offline_redemptions", "Made offline", sync.offlineRedemptions),
          row("confirmed", "Confirmed", sync.confirmed),
          row("conflicts", "Conflicts", sync.conflicts, note: "refused by the server"),
          row("points_returned", "Points returned", sync.pointsReturned),
          row("waiting_redemptions", "Still waiting", sync.waitingRedemptions),
        ]),
      .figures(
        "status_views", "Status on devices",
        [
          row("looks", "Times members looked", sync.looks),
          row("held_back", "Wrong clock corrected", sync.heldBack, note: "status did not go back"),
        ]),
      history(
        "waiting_history", "Waiting on devices, last 90 days",
        [("waiting", "Waiting at the day's end", \.waiting)], absence: deviceAbsence),
      signIns,
      .figures(
        "sessions", "Sessions",
        [row("session_resets", "Expired sessions reset", record.total.resets)]),
    ]
  }

  private var signIns: PageBlock {
    PageBlock(
      key: "sign_ins", title: "Sign-ins with passkeys",
      body: .table(
        PageTable(
          [("result", "Result", .text), ("attempts", "Attempts", .count)],
          rows: isLast
            ? record.ceremonies.map { [.text($0.ceremonyLabel), .number($0.count)] } : [],
          empty: Self.atEndOnly, absence: deviceAbsence)))
  }
}
