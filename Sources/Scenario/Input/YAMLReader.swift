internal import RewardModel
internal import Yams

/// Reads one YAML document into raw nodes, with every reason for refusing it.
package struct YAMLReader {
  /// The most bytes of a scenario file.
  static let byteLimit = 1 << 20
  /// The deepest nesting; the settings themselves need five levels.
  static let depthLimit = 32

  let file: String
  package private(set) var findings: [InputFinding] = []
  /// Keys that appeared twice in a mapping, by the placeholder that replaced them.
  private var standIns: [String: (key: String, firstLine: Int)] = [:]

  /// - Parameter file: Its name, for findings.
  package init(file: String) { self.file = file }

  private mutating func refuse(_ line: Int, _ column: Int, _ sign: Character) {
    report(
      line, column,
      "\(sign == "&" ? "anchors" : "aliases") ('\(sign)') are refused; "
        + "write the value out where it is needed")
  }

  private mutating func reportDuplicate(_ keys: [String], _ mark: Mark) {
    report(
      mark.line, mark.column,
      "duplicate key '\((keys.first ?? "").shortened)'; keep one of them")
  }

  /// Whether a text without aliases has one of some anchors.
  ///
  /// - Throws: What the parser says of the text.
  /// - Complexity: O(length).
  private static func hasAnchor(_ names: Set<String>, in text: String) throws -> Bool {
    let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
    guard let root = try parser.singleRoot() else { return false }
    return withExtendedLifetime(parser) {
      var rest = [root]
      while let node = rest.popLast() {
        if let anchor = node.anchor, names.contains(anchor.rawValue) { return true }
        switch node {
        case .mapping(let mapping):
          for (key, value) in mapping { rest += [key, value] }
        case .sequence(let sequence): rest += sequence
        case .scalar, .alias: break
        }
      }
      return false
    }
  }

  /// The root of the document; nil when there are findings that leave nothing to look at.
  package mutating func read(_ text: String) -> RawNode? {
    let scan = YAMLScan(text)
    if scan.references.contains(where: { $0.sign == "&" })
      && scan.references.contains(where: { $0.sign == "*" })
    {
      for reference in scan.references { refuse(reference.line, reference.column, reference.sign) }
      return nil
    }
    if !scan.pairs.isEmpty {
      do {
        let names = Set(scan.pairs.map(\.name))
        if try Self.hasAnchor(names, in: scan.withoutAliases(text)) {
          for pair in scan.pairs { refuse(pair.line, pair.column, pair.sign) }
          return nil
        }
      } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
        reportDuplicate(keys, context.mark)
        return nil
      } catch {
        report(error, text)
        return nil
      }
    }
    var source = text
    // Each duplicate key costs a round; a large file gets few.
    let rounds = min(InputErrors.limit, 4 * Self.byteLimit / max(1, text.utf8.count))
    for round in 0...rounds {
      do {
        // The parser owns the anchors, so it lives until the nodes are converted.
        let parser = try Parser(yaml: source, resolver: .basic, encoding: .utf8)
        guard let root = try parser.singleRoot() else {
          report(1, 1, "is empty; write at least 'name: my-scenario'")
          return nil
        }
        return withExtendedLifetime(parser) { convert(root, "", depth: 0) }
      } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
        guard round < rounds, let repaired = rename(keys.first ?? "", context.mark, in: source)
        else {
          reportDuplicate(keys, context.mark)
          return nil
        }
        source = repaired
      } catch {
        report(error, source)
        return nil
      }
    }
    return nil
  }

  private mutating func report(_ line: Int, _ column: Int, _ message: String) {
    report(line, column, "", message)
  }

  private mutating func report(_ line: Int, _ column: Int, _ path: String, _ message: String) {
    findings.append(
      InputFinding(source: file, line: line, column: column, path: path, message: message))
  }

  private mutating func convert(_ node: Node, _ path: String, depth: Int) -> RawNode {
    let line = node.mark?.line ?? 1
    let column = node.mark?.column ?? 1
    let origin = Origin.file(line: line, column: column)
    let refused = RawNode(content: .refused, origin: origin)
    guard depth <= Self.depthLimit else {
      report(
        line, column, path.shortened,
        "is nested deeper than \(Self.depthLimit) levels; settings need five")
      return refused
    }
    if node.anchor != nil {
      report(
        line, column, path, "anchors ('&') are refused; write the value out where it is needed")
      return refused
    }
    guard Self.plainTags.contains(node.tag.rawValue) else {
      report(
        line, column, path,
        "the tag '\(node.tag.rawValue.shortened)' is refused; write the value without a tag")
      return refused
    }
    switch node {
    case .scalar(let scalar):
      let style: ScalarStyle = scalar.style == .plain ? .plain : .quoted
      return RawNode(content: .scalar(scalar.string, style: style), origin: origin)
    case .sequence(let nodes):
      var raw: [RawNode] = []
      for (index, node) in nodes.enumerated() {
        raw.append(convert(node, "\(path)[\(index)]", depth: depth + 1))
      }
      return RawNode(content: .list(raw), origin: origin)
    case .mapping(let pairs):
      var raw: [RawPair] = []
      for (key, value) in pairs {
        if let pair = convert(key: key, value, path, depth: depth) { raw.append(pair) }
      }
      return RawNode(content: .mapping(raw), origin: origin)
    case .alias:
      report(
        line, column, path, "aliases ('*') are refused; write the value out where it is needed")
      return refused
    }
  }

  private mutating func convert(key: Node, _ value: Node, _ parent: String, depth: Int)
    -> RawPair?
  {
    let line = key.mark?.line ?? 1
    let column = key.mark?.column ?? 1
    guard case .scalar(let scalar) = key else {
      report(line, column, parent, "a key is a list or a group; write a plain word")
      return nil
    }
    let prefix = parent.isEmpty ? "" : parent + "."
    if let standIn = standIns[scalar.string] {
      report(
        line, column, (prefix + standIn.key).shortened,
        "duplicate key, first on line \(standIn.firstLine); keep one of them")
      return nil
    }
    return RawPair(
      key: scalar.string, keyOrigin: .file(line: line, column: column),
      value: convert(value, prefix + scalar.string, depth: depth + 1))
  }

  private static let plainTags: Set<String> = [
    "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map", "", "!",
  ]

  // Yams stops at the first mapping that holds a key twice. Giving the later ones other names of
  // the same length lets the rest be checked too, at unchanged positions.
  private mutating func rename(_ key: String, _ first: Mark, in source: String) -> String? {
    // By scalars: a carriage return and its line feed are one character.
    var lines = source.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Array($0) }
    var found = false
    for number in first.line..<max(first.line, lines.count) {
      let line = lines[number]
      let indent = line.prefix { $0 == " " }.count
      if indent == line.count || line[indent] == "#" || line[indent] == "\r" { continue }
      if indent < first.column - 1 { break }
      guard indent == first.column - 1, let place = Self.place(of: key, in: line, at: indent)
      else { continue }
      guard let mark = Unicode.Scalar(UInt32(0xE000 + standIns.count)),
        let filler = Unicode.Scalar(UInt32(0xF8FF)), standIns.count < InputErrors.limit
      else { return nil }
      var standIn = String.UnicodeScalarView([mark])
      standIn.append(contentsOf: repeatElement(filler, count: place.count - 1))
      lines[number].replaceSubrange(place, with: standIn)
      standIns[String(standIn)] = (key, first.line)
      found = true
    }
    guard found else { return nil }
    var repaired = String.UnicodeScalarView()
    repaired.append(contentsOf: lines.joined(separator: ["\n"]))
    return String(repaired)
  }

  /// Where `key` is a key, in quotes or not, at the indentation of a line.
  private static func place(of key: String, in line: [Unicode.Scalar], at indent: Int)
    -> Range<Int>?
  {
    let isQuoted = line[indent] == "\"" || line[indent] == "'"
    let start = indent + (isQuoted ? 1 : 0)
    let end = start + key.unicodeScalars.count
    guard end > start, end < line.count, line[start..<end].elementsEqual(key.unicodeScalars),
      !isQuoted || line[end] == line[indent]
    else { return nil }
    return line[(isQuoted ? end + 1 : end)...].first { $0 != " " } == ":" ? start..<end : nil
  }
}

extension YAMLReader {
  /// Adds the finding of an error that Yams threw.
  private mutating func report(_ error: any Error, _ source: String) {
    switch error {
    case YamlError.scanner(_, let problem, let mark, _),
      YamlError.parser(_, let problem, let mark, _),
      YamlError.composer(_, let problem, let mark, _):
      report(mark.line, mark.column, Self.advice(problem, mark, source))
    case YamlError.reader(let problem, let offset, _, _):
      let scalars = Array(source.utf8.prefix(offset ?? 0))
      let line = scalars.count { $0 == 10 } + 1
      let column = scalars.count - (scalars.lastIndex(of: 10).map { $0 + 1 } ?? 0) + 1
      report(line, column, "is not YAML text: \(problem); remove the character")
    default:
      report(1, 1, "cannot be read as YAML; check its syntax")
    }
  }

  private static func advice(_ problem: String, _ mark: Mark, _ source: String) -> String {
    let lines = source.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    let indent = lines.dropFirst(mark.line - 1).first?.prefix { $0 == " " || $0 == "\t" }
    if indent?.contains("\t") == true {
      return "a tab indents this line; indent with spaces"
    }
    if problem.contains("another document") {
      return "a second document begins here; write one document a file"
    }
    if problem.contains("undefined alias") {
      return "aliases ('*') are refused; write the value out where it is needed"
    }
    if problem.contains("nesting") {
      return "is nested too deeply; settings need five levels"
    }
    if problem.contains("mapping values are not allowed") {
      return
        "is not YAML: there is a second ':' here; put the text in quotes, or indent this line as the one above"
    }
    return "is not YAML: \(problem); check quotes, brackets and indentation"
  }
}
