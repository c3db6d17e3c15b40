internal import Experiments
internal import Foundation
internal import Reports
internal import Scenario
internal import Synchronization

/// Running replications, and making pictures of them.
extension StudioSession {
  /// A side of the last picture, so that it is not made again while nothing of it changes.
  struct Shown: Sendable {
    /// The move that the variant is of.
    var key: Int
    var count: Int
    var picture: ProjectionPicture
  }

  /// Which variant.
  enum Side: Sendable { case a, b }

  /// Replications to be run next.
  private struct Batch {
    var side: Side
    var variant: StudioVariant
    var numbers: Range<Int>
  }

  /// Runs what is still to be run; nothing where that is under way.
  func start() {
    let now = job.load(ordering: .relaxed)
    work.async { [weak self] in self?.sharpen(now) }
  }

  private func isWanted(_ number: Int) -> Bool { job.load(ordering: .relaxed) == number }

  /// Batch after batch until both variants have all their replications, or nobody wants them.
  private func sharpen(_ number: Int) {
    while isWanted(number), let batch = state.withLock({ next($0) }) {
      var runner = batch.variant.runner
      runner.isWanted = { [weak self] in self?.isWanted(number) ?? false }
      let isFirst = batch.side == .a && batch.numbers.lowerBound == 0
      do {
        let sum = try runner.fold(batch.numbers, into: batch.variant.sum) { sum, replication in
          sum.add(replication)
          // The first picture is of one replication; the rest of the batch sharpens it.
          if isFirst, sum.count == 1 { self.show(sum, of: batch, number) }
        }
        guard let sum else { return }
        show(sum, of: batch, number)
      } catch {
        fail(error, batch, number)
      }
    }
  }

  /// The next batch: of the variant that has fewer replications, more at a time the more there are.
  private func next(_ state: borrowing State) -> Batch? {
    func left(_ variant: StudioVariant) -> Bool {
      variant.failure == nil && variant.sum.count < limit
    }
    var (side, variant) = (Side.a, state.a)
    if let b = state.b, left(b), !left(variant) || b.sum.count < variant.sum.count {
      (side, variant) = (.b, b)
    }
    guard left(variant) else { return nil }
    let count = variant.sum.count
    let size = max(threads, min(8, count))
    return Batch(side: side, variant: variant, numbers: count..<min(limit, count + size))
  }

  /// Takes replications over and shows them, unless they are no longer wanted.
  private func show(_ sum: StudioSum, of batch: Batch, _ number: Int) {
    change(batch, number) { variant in
      if sum.count > variant.sum.count { variant.sum = sum }
    }
    if isWanted(number) { publish() }
  }

  private func fail(_ error: any Error, _ batch: Batch, _ number: Int) {
    change(batch, number) { $0.failure = "\(error)" }
    if isWanted(number) { publish() }
  }

  /// Changes the variant of a batch, unless there is another one in its place by now.
  private func change(_ batch: Batch, _ number: Int, _ body: (inout StudioVariant) -> Void) {
    state.withLock { state in
      guard isWanted(number) else { return }
      switch batch.side {
      case .a: if state.a.key == batch.variant.key { body(&state.a) }
      case .b: if state.b?.key == batch.variant.key, state.b != nil { body(&state.b!) }
      }
    }
  }

  /// Makes a picture of what there is now, and hands it to whoever waits.
  func publish() {
    publishing.withLock { shown in
      let (now, revision, isRunning) = state.withLock { state in
        (state, state.revision, next(state) != nil)
      }
      var kept: [Shown] = []
      func side(_ variant: StudioVariant) -> StudioPicture.Side {
        let (key, count) = (variant.key, variant.sum.count)
        var picture = shown.first { $0.key == key && $0.count == count }?.picture
        if picture == nil, let projection = variant.projection {
          picture = ProjectionPicture(projection)
        }
        if let picture { kept.append(Shown(key: key, count: count, picture: picture)) }
        return StudioPicture.Side(
          name: variant.scenario.name, picture: picture, failure: variant.failure)
      }
      var picture = StudioPicture(a: side(now.a))
      picture.b = now.b.map(side)
      picture.comparison = now.b.map { StudioPicture.Comparison(now.a, $0) }
      picture.search = now.search
      (picture.revision, picture.isRunning, picture.limit) = (revision, isRunning, limit)
      shown = kept
      let waiting: [CheckedContinuation<Void, Never>] = state.withLock { state in
        // A move that was made meanwhile has a picture of its own to come.
        guard state.revision == revision else { return [] }
        state.version += 1
        picture.version = state.version
        state.picture = Self.json(picture)
        watch?(state.picture)
        defer { state.waiting = [:] }
        return Array(state.waiting.values)
      }
      for continuation in waiting { continuation.resume() }
    }
  }

  /// A value as JSON.
  static func json(_ value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "∞", negativeInfinity: "−∞", nan: "–")
    do { return try encoder.encode(value) } catch {
      fatalError("texts, numbers and lists can be encoded: \(error)")
    }
  }
}
