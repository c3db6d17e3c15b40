package import RewardModel
package import Scenario

/// All that a replication is made from: equal requests have equal answers, wherever they are made.
package struct ReplicationRequest: Sendable {
  /// The scenario's text, and what messages call its file.
  package var text: [UInt8]
  package var file: String
  /// What overrides the text, the uncertain settings that were drawn among it; later ones win.
  package var overrides: [SettingOverride]
  package var seed: UInt64
  /// Figures besides those that the program declares, of its daily series.
  package var asked: [String]
  /// See `RunFrame`.
  package var controls = false
  package var keepsMembers = false
  /// Whether the answer says what a fitted world is compared by.
  package var isLived = false

  /// A request; see the properties.
  package init(
    text: [UInt8], file: String, overrides: [SettingOverride], seed: UInt64, asked: [String]
  ) {
    self.text = text
    self.file = file
    self.overrides = overrides
    self.seed = seed
    self.asked = asked
  }

  /// Makes the replication here, on one thread.
  ///
  /// - Parameters:
  ///   - plan: Of its scenario, as `plan()` says it, which takes a few milliseconds.
  ///   - fingerprint: The digest of a run's rows.
  /// - Throws: What the run throws.
  package func answer(
    _ plan: any RunPlan, fingerprint: (any ProgrammeRecord) -> String
  ) throws -> ReplicationAnswer {
    var plan = plan
    plan.frame.seed = seed
    plan.frame.controls = controls
    plan.frame.keepsMembers = keepsMembers
    func run<Plan: RunPlan>(_ plan: Plan) throws -> ReplicationAnswer {
      var uses = UseCounts(Plan.Programme.history)
      let outputs = RunOutputs<Plan.Programme.Member>(history: { uses.add($0) })
      let record = try plan.simulate(
        threads: 1, outputs: isLived ? outputs : RunOutputs<Plan.Programme.Member>())
      let replication = Replication(
        record, of: Plan.Programme.self, index: 0,
        measured: MeasuredFigures(plan.figures, asked: asked), fingerprint: fingerprint(record))
      return ReplicationAnswer(
        fingerprint: replication.fingerprint, figures: replication.figures,
        sample: replication.sample,
        lived: isLived ? LivedWorld(uses: uses, levels: Plan.Programme.levels(of: record)) : nil)
    }
    return try run(plan)
  }

  /// What the members of its run do, by several threads.
  ///
  /// - Throws: What the run throws.
  func lived(_ plan: any RunPlan, threads: Int) throws -> LivedWorld {
    func run<Plan: RunPlan>(_ plan: Plan) throws -> LivedWorld {
      var plan = plan
      plan.frame.seed = seed
      var uses = UseCounts(Plan.Programme.history)
      let outputs = RunOutputs<Plan.Programme.Member>(history: { uses.add($0) })
      let record = try plan.simulate(threads: threads, outputs: outputs)
      return LivedWorld(uses: uses, levels: Plan.Programme.levels(of: record))
    }
    return try run(plan)
  }

  /// The run that it asks for, but for its seed and what it keeps.
  ///
  /// - Throws: `InputErrors`, `CalendarError`.
  package func plan() throws -> any RunPlan {
    try Scenario.load(bytes: text, file: file, overrides: overrides).plan()
  }
}

/// What a replication came to.
package struct ReplicationAnswer: Sendable {
  package let fingerprint: String
  /// By their row in `MeasuredFigures`.
  package let figures: [Double?]
  package let sample: RunSample
  /// Nil where the request did not ask for it.
  let lived: LivedWorld?

  init(fingerprint: String, figures: [Double?], sample: RunSample, lived: LivedWorld?) {
    self.lived = lived
    self.fingerprint = fingerprint
    self.figures = figures
    self.sample = sample
  }

  /// Bytes for another process.
  package var packed: [UInt8] { packed(sample) }

  private func packed(_ sample: RunSample) -> [UInt8] {
    var bytes = PackedBytes()
    bytes.put(fingerprint)
    bytes.put(optionals: figures)
    sample.pack(into: &bytes)
    bytes.put(optional: lived) { $1.pack(into: &$0) }
    return bytes.bytes
  }

  /// Whether another process that was asked the same may have come to this: all is the same, but for control
  /// variates, whose expectation goes by the C library's functions and so may differ in a last bit between
  /// processors. They are within 1e-9 of each other.
  package func agrees(with other: ReplicationAnswer) -> Bool {
    var (own, theirs) = (sample, other.sample)
    (own.controls, theirs.controls) = ([], [])
    return packed(own) == other.packed(theirs)
      && sample.controls.count == other.sample.controls.count
      && zip(sample.controls, other.sample.controls).allSatisfy {
        abs($0 - $1) <= 1e-9 * max(abs($0), abs($1))
      }
  }

  /// Reads what another process packed.
  ///
  /// - Throws: `PackedBytes.Broken`.
  package init(packed: [UInt8]) throws(PackedBytes.Broken) {
    var bytes = PackedBytes(packed)
    fingerprint = try bytes.text()
    figures = try bytes.optionals(Double.self)
    sample = try RunSample(unpacking: &bytes)
    lived = try bytes.optional(LivedWorld.init(unpacking:))
    guard bytes.isAtEnd else { throw PackedBytes.Broken() }
  }
}

/// Makes replications somewhere else than in this process.
package protocol ReplicationMaker: Sendable {
  /// Waits for the answer to a request; called on many threads at a time.
  ///
  /// - Throws: What the run throws there; `MakerFailure`.
  func answer(_ request: ReplicationRequest) throws -> ReplicationAnswer
}

/// Why there is no answer at all.
package protocol MakerFailure: Error {}

/// Nobody wants a replication any more.
package struct ReplicationsUnwanted: MakerFailure {
  /// The reason of a replication that is given up.
  package init() {}
}
