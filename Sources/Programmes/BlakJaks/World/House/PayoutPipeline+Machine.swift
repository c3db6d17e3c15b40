internal import EventKernel
internal import Quantities

extension PayoutPipeline {
  /// The executive with the model that it drives.
  struct Machine: ~Copyable {
    private(set) var executive: Executive<Event>
    var handler: Handler
    /// Up to where everything has happened. The executive's own clock is set when it has to know.
    private var now: Instant
    /// The executive's next event; `distantFuture` without any.
    private var next = Instant.distantFuture
    /// The slots of the batch that was made last.
    private var batched: [Int] = []

    init(start: Instant, _ handler: Handler) {
      executive = Executive(start: start)
      self.handler = handler
      now = start
    }

    mutating func advance(to end: Instant, _ books: inout ProgrammeBooks) throws(MoneyError) {
      let batch = books.desk.earliestBatch(from: handler.start)
      guard min(next, batch) < end else {
        // Nothing is due, as at most rows of a history: only the clock moves on.
        now = max(now, end)
        return
      }
      try setClock()
      try books.payOut { (desk, ledger) throws(MoneyError) in
        handler.exchange(&desk, &ledger)
        defer { handler.exchange(&desk, &ledger) }
        while let batch = handler.desk.nextBatch(from: handler.start), batch < end {
          // What a late batch of an earlier instant holds is dealt with now.
          let instant = max(batch, executive.now)
          try executive.run(until: instant, &handler)
          try handler.batch(at: instant, into: &batched)
          for slot in batched { try handler.join(slot, &executive) }
        }
        try executive.run(until: end, &handler)
      }
      lookAhead()
    }

    mutating func retryFunds(_ books: inout ProgrammeBooks) throws(MoneyError) {
      guard !handler.waitingForFunds.isEmpty else { return }
      try setClock()
      try books.payOut { (desk, ledger) throws(MoneyError) in
        handler.exchange(&desk, &ledger)
        defer { handler.exchange(&desk, &ledger) }
        let waiting = handler.waitingForFunds
        handler.waitingForFunds = []
        for slot in waiting { try handler.join(slot, &executive) }
      }
      lookAhead()
    }

    /// Sets the executive's clock to where everything has happened.
    private mutating func setClock() throws(MoneyError) {
      if now > executive.now { try executive.run(until: now, &handler) }
    }

    /// Looks at what is next after something has happened.
    private mutating func lookAhead() {
      now = executive.now
      next = executive.nextInstant() ?? .distantFuture
    }

    var saved: Saved {
      mutating get {
        Saved(
          now: now, handled: executive.handled, scheduled: executive.scheduled(),
          workers: handler.workers, waitingForFunds: handler.waitingForFunds, day: handler.day,
          echoes: handler.echoes, draws: handler.draws, faultDraws: handler.faultDraws,
          chain: handler.chain)
      }
    }

    mutating func restore(_ saved: Saved) throws {
      executive = try Executive(now: saved.now, handled: saved.handled, saved.scheduled)
      handler.workers = saved.workers
      handler.waitingForFunds = saved.waitingForFunds
      handler.day = saved.day
      handler.echoes = saved.echoes
      handler.draws = saved.draws
      handler.faultDraws = saved.faultDraws
      handler.chain = saved.chain
      lookAhead()
    }
  }
}
