internal import Documents
internal import Hummingbird
internal import Logging
internal import RewardModel

/// Whether the service does what it is asked for.
extension ServiceApplication {
  /// Tells the log when the writer waits, and when it goes on.
  func watchWriter() async {
    var hasWaited = false
    while !Task.isCancelled {
      let busy = engine.busySeconds
      if busy >= limits.busySeconds, !hasWaited {
        logger.error("the writer is busy for long: with the database, the disk or much to do")
      } else if busy < limits.busySeconds, hasWaited {
        logger.notice("the writer goes on")
      }
      hasWaited = busy >= limits.busySeconds
      try? await Task.sleep(for: .seconds(min(limits.busySeconds / 5, 1)))
    }
  }

  /// Whether somebody should be sent here.
  func ready() -> Response {
    if let failure = engine.failure {
      logger.error("the writer stopped: \(failure)")
      return Self.response(
        ServedRefusal(503, "not ready", "the writer stopped; see the log").reply)
    }
    if let trouble = store.trouble {
      logger.warning("the database does not answer: \(trouble)")
      return Self.response(Self.withoutDatabase.reply)
    }
    let busy = engine.busySeconds
    guard busy < limits.busySeconds else {
      return Self.response(
        ServedRefusal(503, "not ready", "the writer has been busy for \(Int(busy)) seconds").reply)
    }
    return Self.response(ServedReply(body: .line([("ready", .bool(true))])))
  }
}
