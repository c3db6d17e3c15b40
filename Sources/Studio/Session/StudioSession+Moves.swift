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
      if path == "programme", value != state.a.scenario.programme.id,
        value != nil || state.before != nil
      {
        return Self.choose(value, &state)
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

  /// Chooses another program, which has other settings; the one before comes back as it was left.
  private static func choose(_ programme: String?, _ state: inout State) {
    if let before = state.before, programme == nil || programme == before.programme {
      state.opened = before.opened
      (state.b, state.origin, state.before) = (before.b, before.origin, nil)
      return
    }
    guard let programme else { return }
    // Of several in turn, the first one comes back.
    let now = state.a.scenario
    if state.before == nil {
      state.before = Before(
        programme: now.programme.id, opened: state.opened, b: state.b, origin: state.origin)
    }
    let name = SettingValue.text(now.name).quotedText
    let text = "name: \(name)\nprogramme: \(SettingValue.text(programme).quotedText)\n"
    state.opened = Origin(text: text, file: state.file, given: [], moves: [])
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
      state.opened = Origin(text: text, file: file, given: [], moves: [])
      (state.before, state.search) = (nil, nil)
    }
  }

  /// Keeps what there is now as B, with its replications.
  package func keep() {
    state.withLock { state in
      state.b = state.a
      state.origin = state.opened
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
      state.opened = origin
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
      do throws(InputErrors) {
        scenario = try Self.load(next)
        try screen(scenario)
      } catch { throw Self.refusal(error, path) }
      try Self.check(scenario)
      if scenario.canonicalText == state.a.scenario.canonicalText, next.text == state.text,
        Self.certain(scenario) == Self.certain(state.a.scenario)
      {
        // Nothing to compute; only what counts as moved may differ.
        state.moves = next.moves
        return
      }
      next.a = try StudioVariant(scenario, threads: threads)
      next.a.key = job.add(1, ordering: .relaxed).newValue
      // A search was for the settings of its own program.
      if scenario.programme.id != state.a.scenario.programme.id { next.search = nil }
      if state.search != nil, next.search == nil { searchJob.add(1, ordering: .relaxed) }
      if let b = next.b {
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
    // Other pages of this session hear of it at once, not with the first replication.
    publish()
    start()
  }

  /// Uncertain settings that are set, and so no longer drawn.
  private static func certain(_ scenario: Scenario) -> Set<String> {
    var paths: Set<String> = []
    for entry in scenario.uncertain {
      for path in entry.paths {
        for row in scenario.rows(at: path, of: entry)
        where scenario.isOverridden(path) || scenario.isOverridden(row.path) {
          paths.insert(row.path)
        }
      }
    }
    return paths
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
    let (a, given) = state.withLock { ($0.a, $0.given) }
    guard let projection = a.projection else {
      throw StudioRefusal(a.failure ?? "no replication has ended yet; try again in a moment")
    }
    let moved = a.scenario.origin.overrides
    return ProjectionPage.html(
      projection, scenario: a.scenario.name, description: a.scenario.description ?? "",
      settings: a.runner.plan.frame.settings,
      expect: a.scenario.expect.compactMap { ExpectationVerdict($0, a.sum.fold) },
      plotly: plotly, source: source,
      set: SetWords(
        given.filter { text in !moved.contains { text.hasPrefix($0.path + "=") } }
          + moved.map { "\($0.path)=\($0.value)" }))
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
