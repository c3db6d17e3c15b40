package import RewardModel
package import Scenario

/// How the steps of members are put to a service: what an `--api` file says.
package struct ServiceMap: Sendable {
  /// What a service hands out before the load, a list of texts.
  package struct Supply: Sendable {
    /// At most so many at a time.
    package var most: Int
    /// Asks for `{count}` more; nil where there are enough.
    package var prepare: ServiceCall?
    /// Reads `{count}` from number `{from}` on.
    package var read: ServiceCall?
    /// Or a file with one a line.
    package var file: String?
    /// Reads how the service names those whom `read` gives the tokens of; nil where it does not.
    package var names: ServiceCall?
  }

  /// By the place of the step; nil for steps that the service does not have.
  package fileprivate(set) var calls: [ServiceCall?]
  package fileprivate(set) var members: Supply?
  package fileprivate(set) var codes: Supply?
  /// What somebody asks for who watches the pages live.
  package fileprivate(set) var watch: ServiceCall?
  /// What tells the service's clock and its speed.
  package fileprivate(set) var clock: ServiceCall?
  /// Values of the command line that no call has, by name, sorted.
  package private(set) var unused: [String] = []

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - file: Its name, for messages.
  ///   - steps: That members make.
  ///   - fixed: Values of the command line, by name.
  /// - Throws: With everything that is wrong.
  package init(
    _ text: String, file: String, steps: [LoadStepShape], fixed: [String: String]
  ) throws(InputErrors) {
    var yaml = YAMLReader(file: file)
    let root = yaml.read(text)
    guard yaml.findings.isEmpty, let root else { throw InputErrors(yaml.findings) }
    calls = []
    var reader = ServiceMapReader(file: file, fixed: fixed)
    reader.read(root, steps, into: &self)
    guard reader.findings.isEmpty else { throw InputErrors(reader.findings) }
    unused = fixed.keys.filter { !reader.used.contains($0) }.sorted()
  }
}

extension ServiceMap {
  /// Whether a load itself gives a name its values in every call.
  package static func isOfLoad(_ name: String) -> Bool { ServiceCall.common.contains(name) }

  /// The names of those of some steps that the service does not have.
  package func missing(of steps: [Int], _ shapes: [LoadStepShape]) -> [String] {
    steps.filter { calls[$0] == nil }.map { shapes[$0].name }
  }
}

/// Reads a service map out of raw nodes, with every reason for refusing it.
private struct ServiceMapReader {
  let file: String
  let fixed: [String: String]
  var findings: [InputFinding] = []
  /// Values of the command line that a call has.
  var used: Set<String> = []
  private var headers: [(name: String, value: RawNode)] = []

  init(file: String, fixed: [String: String]) {
    self.file = file
    self.fixed = fixed
  }

  private mutating func note(_ origin: Origin, _ path: String, _ message: String) {
    var finding = InputFinding(source: file, path: path, message: message)
    if case .file(let line, let column) = origin {
      finding.line = line
      finding.column = column
    }
    findings.append(finding)
  }

  mutating func read(_ root: RawNode, _ steps: [LoadStepShape], into map: inout ServiceMap) {
    let names = ["headers", "members", "codes", "steps", "watch", "clock"]
    let groups = mapping(root, "", names)
    if let node = groups["headers"] { headers = texts(node, "headers") }
    map.members = groups["members"].map { supply($0, "members") }
    map.codes = groups["codes"].map { supply($0, "codes") }
    map.watch = groups["watch"].flatMap { call($0, "watch", [], []) }
    map.clock = groups["clock"].flatMap { call($0, "clock", [], ["now", "speed"]) }
    map.calls = steps.map { _ in nil }
    guard let node = groups["steps"] else {
      note(root.origin, "steps", "is missing; write how at least one step is called")
      return
    }
    let given = mapping(node, "steps", steps.map(\.name))
    for (place, step) in steps.enumerated() {
      map.calls[place] = given[step.name].flatMap {
        call($0, "steps.\(step.name)", step.variables, step.takes, changes: step.changes)
      }
    }
  }

  private mutating func mapping(
    _ node: RawNode, _ path: String, _ known: [String]
  ) -> [String: RawNode] {
    guard case .mapping(let pairs) = node.content else {
      note(node.origin, path, "is \(node.kindName); write a group of keys")
      return [:]
    }
    for pair in pairs where !known.contains(pair.key) {
      note(
        pair.keyOrigin, path.isEmpty ? pair.key : "\(path).\(pair.key)",
        "is not known; write one of \(known.joined(separator: ", "))")
    }
    return Dictionary(pairs.map { ($0.key, $0.value) }) { first, _ in first }
  }

  /// A group whose keys are anything.
  private mutating func texts(
    _ node: RawNode, _ path: String
  ) -> [(name: String, value: RawNode)] {
    guard case .mapping(let pairs) = node.content else {
      note(node.origin, path, "is \(node.kindName); write a group of keys")
      return []
    }
    return pairs.map { ($0.key, $0.value) }
  }

  private mutating func text(_ node: RawNode, _ path: String) -> String {
    if case .scalar(let text, _) = node.content { return text }
    note(node.origin, path, "is \(node.kindName); write text")
    return ""
  }

  private mutating func supply(_ node: RawNode, _ path: String) -> ServiceMap.Supply {
    let keys = mapping(node, path, ["file", "most", "prepare", "read", "names"])
    var supply = ServiceMap.Supply(most: 1_000)
    if let most = keys["most"] {
      let text = text(most, "\(path).most")
      if let number = Int(text), (1...1_000_000).contains(number) {
        supply.most = number
      } else {
        note(most.origin, "\(path).most", "is '\(text)'; write a number from 1 to 1000000")
      }
    }
    supply.file = keys["file"].map { text($0, "\(path).file") }
    let variables = ["from", "count"]
    supply.prepare = keys["prepare"].flatMap {
      call($0, "\(path).prepare", variables, ["take"], isAlone: true, changes: true)
    }
    supply.read = keys["read"].flatMap {
      call($0, "\(path).read", variables, ["take"], isAlone: true)
    }
    supply.names = keys["names"].flatMap {
      call($0, "\(path).names", variables, ["take"], isAlone: true)
    }
    if supply.file == nil, supply.read == nil {
      note(node.origin, path, "says not where they come from; write 'file' or 'read'")
    }
    return supply
  }

  /// - Parameters:
  ///   - isAlone: A call before the load: only its own headers, and one value to take.
  ///   - changes: Whether it changes the service.
  private mutating func call(
    _ node: RawNode, _ path: String, _ variables: [String], _ takes: [String],
    isAlone: Bool = false, changes: Bool = false
  ) -> ServiceCall? {
    let methods = ["get", "post", "put", "delete", "patch"]
    let keys = mapping(
      node, path,
      methods + ["headers", "body", "key", "done", "refused", "refusal", "check", "take"])
    let given = methods.filter { keys[$0] != nil }
    guard given.count == 1, let target = keys[given[0]] else {
      note(
        node.origin, path,
        "has \(given.count) methods; write one of \(methods.joined(separator: ", ")) with a path")
      return nil
    }
    let names = ServiceCall.common + variables
    let url = text(target, "\(path).\(given[0])")
    if !url.hasPrefix("/") {
      note(target.origin, "\(path).\(given[0])", "is '\(url)'; write a path that begins with '/'")
    }
    var lines: [(name: String, value: TextTemplate)] = []
    let own = keys["headers"].map { texts($0, "\(path).headers") } ?? []
    for (name, value)
      in (isAlone ? [] : headers.filter { header in !own.contains { $0.name == header.name } })
      + own
    {
      guard checkHeader(name, value.origin, "\(path).headers") else { continue }
      guard let template = template(value, .header, names, "\(path).headers.\(name)") else {
        continue
      }
      lines.append((name, template))
    }
    let body = keys["body"].flatMap { template($0, .json, names, "\(path).body") }
    if body != nil, !lines.contains(where: { $0.name.lowercased() == "content-type" }),
      let json = try? TextTemplate("application/json", .header, names: [])
    {
      lines.append(("Content-Type", json))
    }
    let key = keys["key"].map { text($0, "\(path).key") }
    if let key, let node = keys["key"] { _ = checkHeader(key, node.origin, "\(path).key") }
    guard let path = template(target, .path, names, path) else { return nil }
    return ServiceCall(
      method: given[0].uppercased(), path: path, headers: lines, body: body,
      keyHeader: key, isRepeatable: key != nil || !changes || isAlone && given[0] == "get",
      done: keys["done"].map { statuses($0, "done") } ?? [200, 201],
      refused: keys["refused"].map { statuses($0, "refused") } ?? [],
      checks: keys["check"].map { checks($0, "check") } ?? [],
      refusals: keys["refusal"].map { checks($0, "refusal") } ?? [],
      takes: self.takes(keys["take"], takes, isAlone: isAlone))
  }

  /// Whether a header may have a name: a token of RFC 9110, section 5.6.2.
  private mutating func checkHeader(_ name: String, _ origin: Origin, _ path: String) -> Bool {
    let signs = Set("!#$%&'*+-.^_`|~".utf8)
    let isToken = name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || signs.contains(byte)
    }
    if isToken && !name.isEmpty { return true }
    note(origin, path, "'\(name)' cannot name a header; use letters and '-'")
    return false
  }

  private mutating func template(
    _ node: RawNode, _ context: TextTemplate.Context, _ names: [String], _ path: String
  ) -> TextTemplate? {
    let text = text(node, path)
    do throws(TextTemplate.UnknownName) {
      let template = try TextTemplate(text, context, names: names, fixed: fixed)
      used.formUnion(template.fixedNames)
      return template
    } catch {
      note(
        node.origin, path,
        "'{\(error.name)}' is not known; write one of "
          + "\((names + fixed.keys.sorted()).map { "{\($0)}" }.joined(separator: ", ")), or give "
          + "--var \(error.name)=VALUE")
      return nil
    }
  }

  private mutating func statuses(_ node: RawNode, _ path: String) -> Set<Int> {
    var nodes = [node]
    if case .list(let list) = node.content { nodes = list }
    var found: Set<Int> = []
    for node in nodes {
      let text = text(node, path)
      guard let status = Int(text), (200...599).contains(status) else {
        note(node.origin, path, "is '\(text)'; write a status from 200 to 599")
        continue
      }
      found.insert(status)
    }
    return found
  }

  private mutating func pointer(_ text: String, _ origin: Origin, _ path: String) -> [String]? {
    if let parts = JSONScan.parts(of: text) { return parts }
    note(origin, path, "'\(text)' is not a JSON pointer; write one like /data/0/name")
    return nil
  }

  private mutating func checks(_ node: RawNode, _ path: String) -> [ServiceCall.Check] {
    texts(node, path).compactMap { name, value in
      guard let pointer = pointer(name, value.origin, path) else { return nil }
      return ServiceCall.Check(pointer: pointer, text: text(value, "\(path).\(name)"))
    }
  }

  private mutating func takes(
    _ node: RawNode?, _ names: [String], isAlone: Bool
  ) -> [[String]?] {
    guard let node else { return names.map { _ in nil } }
    if isAlone { return [pointer(text(node, "take"), node.origin, "take")] }
    let given = mapping(node, "take", names)
    return names.map { name in
      given[name].flatMap { pointer(text($0, "take.\(name)"), $0.origin, "take.\(name)") }
    }
  }
}
