internal import Experiments
internal import Foundation
package import Reports
internal import RewardModel
internal import Scenario
internal import Synchronization

/// What is done to the settings.
extension StudioSession {
  /// Moves a setting; the replications of what was before are given up.
  ///
  /// - Parameters:
  ///   - path: As `pitboss --set` takes it.
  ///   - value: The same; nil goes back to what was opened.
  /// - Returns: The settings that look different now, or all where others came or went.
  /// - Throws: `StudioRefusal` with the reader's words; nothing has changed then.
  @discardableResult
  package func move(_ path: String, to value: String?) throws(StudioRefusal) -> Moved {
    let before = settings
    try change(path: path) { (state) throws(StudioRefusal) in
      if path == "programme", let value, value != state.a.scenario.programme.id {
        // Another program has other settings.
        let name = SettingValue.text(state.a.scenario.name).quotedText
        state.text = "name: \(name)\nprogramme: \(SettingValue.text(value).quotedText)\n"
        state.moves = []
        return
      }
      state.moves.removeAll {
        $0.path == path || $0.path.hasPrefix(path + "[") || $0.path.hasPrefix(path + ".")
      }
      guard let value else { return }
      if value == "on", let first = Self.firstSetting(of: path, state.a.scenario) {
        // A group is on as soon as one of its settings is written.
        let isOff = (try? Self.load(state))?.settings.contains { $0.path == path } ?? false
        if isOff { state.moves.append(first) }
        return
      }
      state.moves.append(SettingOverride(path: path, value: value, source: "studio"))
    }
    return Moved(from: before, to: settings)
  }

  /// Changes a list of entries; replications follow as after a move.
  ///
  /// - Parameters:
  ///   - entry: Path of one of its entries, such as `rules.list[2]`.
  ///   - isCopied: Whether an entry like it is added; it is removed otherwise.
  /// - Throws: `StudioRefusal` with the reader's words; nothing has changed then.
  package func changeList(_ entry: String, isCopied: Bool) throws(StudioRefusal) -> Moved {
    let open = entry.lastIndex(of: "[") ?? entry.endIndex
    let path = String(entry[..<open])
    guard let place = Int(entry[open...].dropFirst().dropLast()),
      let text = scenario.list(path, isCopied ? .copy(place) : .remove(place))
    else { throw StudioRefusal("\(entry) is not an entry of a list of this scenario") }
    return try move(path, to: text)
  }

  /// The first setting of a group with its default; nil for anything but a group that can be off.
  private static func firstSetting(of path: String, _ scenario: Scenario) -> SettingOverride? {
    guard case .offSwitch? = scenario.shape(of: path),
      let first = scenario.descriptions.first(where: { $0.path.hasPrefix(path + ".") })
    else { return nil }
    return SettingOverride(
      path: first.path, value: StudioControl.text(first.standard), source: "studio")
  }

  /// Opens another scenario in place of this one; what is kept as B stays.
  ///
  /// - Throws: `StudioRefusal` with every finding, a line each.
  package func open(_ text: String, file: String) throws(StudioRefusal) {
    try change { (state) throws(StudioRefusal) in
      (state.text, state.file, state.moves) = (text, file, [])
    }
  }

  /// Keeps what there is now as B, with its replications.
  package func keep() {
    state.withLock { state in
      state.b = state.a
      state.origin = .init(text: state.text, file: state.file, moves: state.moves)
    }
    publish()
    start()
  }

  /// Forgets B.
  package func drop() {
    state.withLock { state in
      state.b = nil
      state.origin = nil
    }
    publish()
  }

  /// Goes back to the settings of B.
  ///
  /// - Throws: `StudioRefusal` where nothing is kept.
  package func restore() throws(StudioRefusal) {
    try change { (state) throws(StudioRefusal) in
      guard let origin = state.origin else { throw StudioRefusal("nothing is kept as B") }
      (state.text, state.file, state.moves) = (origin.text, origin.file, origin.moves)
    }
  }

  /// Changes the state, reads the scenario again and begins its replications.
  private func change(
    path: String = "", _ body: (inout State) throws(StudioRefusal) -> Void
  ) throws(StudioRefusal) {
    try state.withLock { (state) throws(StudioRefusal) in
      var next = state
      try body(&next)
      let scenario: Scenario
      do throws(InputErrors) { scenario = try Self.load(next) } catch {
        throw Self.refusal(error, path)
      }
      try Self.check(scenario)
      if scenario.canonicalText == state.a.scenario.canonicalText, next.text == state.text {
        // Nothing to compute; only what counts as moved may differ.
        state.moves = next.moves
        return
      }
      next.a = try StudioVariant(scenario, threads: threads)
      next.a.key = job.add(1, ordering: .relaxed).newValue
      if let b = state.b {
        let isComparable = b.scenario.programme.id == scenario.programme.id
        next.b = isComparable ? b : nil
        if !isComparable { next.origin = nil }
        if isComparable, b.seed != scenario.seed {
          next.b = try StudioVariant(b.scenario, seed: scenario.seed, threads: threads)
          next.b?.key = -next.a.key
        }
      }
      next.revision += 1
      state = next
    }
    start()
  }

  /// What the reader found, for the field that was moved or for the reader of a file.
  private static func refusal(_ errors: InputErrors, _ path: String) -> StudioRefusal {
    guard !path.isEmpty else { return StudioRefusal(errors.description) }
    let lines = errors.findings.map { finding in
      finding.path.isEmpty || finding.path == path || finding.message.hasPrefix(finding.path)
        ? finding.message : "\(finding.path): \(finding.message)"
    }
    return StudioRefusal(lines.joined(separator: "\n"), path: path)
  }

  // MARK: - What is taken away

  /// A scenario file that says what the settings are now.
  package var yaml: String {
    scenario.writtenYAML(
      head: ["Made by pitboss studio; what is not written has its default."], isDrawn: true)
  }

  /// The report of the replications so far, as `pitboss project` writes it of the scenario that was
  /// opened with what was moved since.
  ///
  /// - Throws: `StudioRefusal` before the first replication.
  package func report(
    plotly: PlotlyMode, source: PlotlySource?
  ) throws(StudioRefusal) -> String {
    let a = state.withLock { $0.a }
    guard let projection = a.projection else {
      throw StudioRefusal(a.failure ?? "no replication has ended yet; try again in a moment")
    }
    return ProjectionPage.html(
      projection, scenario: a.scenario.name, description: a.scenario.description ?? "",
      settings: a.runner.plan.frame.settings,
      expect: a.scenario.expect.compactMap { ExpectationVerdict($0, a.sum.fold) },
      plotly: plotly, source: source,
      set: SetWords(a.scenario.origin.overrides.map { "\($0.path)=\($0.value)" }))
  }
}

/// What a move did to the settings.
package struct Moved: Encodable, Sendable {
  package var revision: Int
  /// Whether settings came or went, so that `rows` are all and belong to new groups.
  package var isWhole: Bool
  /// Those that look different now, or all.
  package var rows: [StudioSettings.Row]

  /// Compares two states of the settings.
  init(from before: StudioSettings, to after: StudioSettings) {
    revision = after.revision
    isWhole = before.rows.map(\.path) != after.rows.map(\.path)
    rows = isWhole ? after.rows : zip(before.rows, after.rows).filter { $0 != $1 }.map(\.1)
  }
}
