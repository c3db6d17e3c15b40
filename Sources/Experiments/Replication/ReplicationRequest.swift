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
      let record = try plan.simulate(threads: 1)
      let replication = Replication(
        record, of: Plan.Programme.self, index: 0,
        measured: MeasuredFigures(plan.figures, asked: asked), fingerprint: fingerprint(record))
      return ReplicationAnswer(
        fingerprint: replication.fingerprint, figures: replication.figures,
        sample: replication.sample)
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

  init(fingerprint: String, figures: [Double?], sample: RunSample) {
    self.fingerprint = fingerprint
    self.figures = figures
    self.sample = sample
  }

  /// Bytes for another process.
  package var packed: [UInt8] {
    var bytes = PackedBytes()
    bytes.put(fingerprint)
    bytes.put(optionals: figures)
    sample.pack(into: &bytes)
    return bytes.bytes
  }

  /// Reads what another process packed.
  ///
  /// - Throws: `PackedBytes.Broken`.
  package init(packed: [UInt8]) throws(PackedBytes.Broken) {
    var bytes = PackedBytes(packed)
    fingerprint = try bytes.text()
    figures = try bytes.optionals(Double.self)
    sample = try RunSample(unpacking: &bytes)
    guard bytes.isAtEnd else { throw PackedBytes.Broken() }
  }
}

/// Makes replications somewhere else than in this process.
package protocol ReplicationMaker: Sendable {
  /// Waits for the answer to a request; called on many threads at a time.
  ///
  /// - Throws: What the run throws there; `ReplicationsUnwanted`; why there is no answer.
  func answer(_ request: ReplicationRequest) throws -> ReplicationAnswer
}

/// Nobody wants a replication any more.
package struct ReplicationsUnwanted: Error {
  /// The reason of a replication that is given up.
  package init() {}
}
