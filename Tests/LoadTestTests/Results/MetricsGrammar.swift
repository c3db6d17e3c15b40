/// The text form of OpenMetrics 1.0, as strictly as a load's figures need it.
///
/// Written from https://prometheus.io/docs/specs/om/open_metrics_spec/: the ABNF of the section 'Text
/// format', and the rules for families, metrics and their points.
struct MetricsGrammar {
  /// A line with a number.
  struct Sample: Equatable {
    var name: String
    var labels: [String: String]
    var value: Double
    var time: Double?
  }

  /// What is wrong, with the line.
  struct Problem: Error, CustomStringConvertible {
    var description: String
  }

  private(set) var samples: [Sample] = []
  private(set) var types: [String: String] = [:]

  private var family = ""
  /// Metrics of the family that have ended: each stands in one place.
  private var past: Set<String> = []
  private var metric = ""
  /// Of each series of the metric, the last point.
  private var last: [String: Sample] = [:]
  private var hasSamples = false
  private var described: Set<String> = []

  /// - Throws: `Problem` at the first line that breaks a rule.
  init(_ text: String) throws {
    guard text.hasSuffix("# EOF\n") else { throw Problem(description: "no # EOF at the end") }
    let lines = text.dropLast(6).split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.last == "" else { throw Problem(description: "# EOF is not a line of its own") }
    for line in lines.dropLast() {
      do { try read(Substring(line)) } catch let problem as Problem {
        throw Problem(description: "\(problem): \(line)")
      }
    }
  }

  private func refuse(_ why: String) -> Problem { Problem(description: why) }

  private mutating func read(_ line: Substring) throws {
    if line.hasPrefix("# ") { return try describe(line.dropFirst(2)) }
    guard !line.isEmpty, line.first != "#", line.first != " " else { throw refuse("no line") }
    try sample(line)
  }

  private static func isName(_ text: some StringProtocol, colons: Bool) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || byte == 0x5F || (colons && byte == 0x3A)
    }
  }

  private mutating func describe(_ line: Substring) throws {
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count == 3, Self.isName(words[1], colons: true) else {
      throw refuse("no description")
    }
    let name = String(words[1])
    if name != family {
      guard types[name] == nil, !described.contains(name) else { throw refuse("a family twice") }
      (family, past, metric, last, hasSamples) = (name, [], "", [:], false)
    }
    guard !hasSamples else { throw refuse("described after its samples") }
    guard described.insert("\(name) \(words[0])").inserted else { throw refuse("said twice") }
    described.insert(name)
    switch words[0] {
    case "TYPE":
      guard ["counter", "gauge", "summary", "info"].contains(words[2]) else {
        throw refuse("no type")
      }
      types[name] = String(words[2])
    case "UNIT":
      guard name.hasSuffix("_\(words[2])") else { throw refuse("the name lacks the unit") }
    case "HELP": _ = try Self.unescaped(words[2], quotes: false)
    default: throw refuse("no description")
    }
  }

  private static func unescaped(_ text: Substring, quotes: Bool) throws -> String {
    var out = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      if quotes, character == "\"" { throw Problem(description: "a bare quote") }
      guard character == "\\" else {
        out.append(character)
        continue
      }
      switch rest.popFirst() {
      case "\\": out.append("\\")
      case "n": out.append("\n")
      case "\"": out.append("\"")
      default: throw Problem(description: "no escape")
      }
    }
    return out
  }

  /// The labels in front of a closing brace, which is taken, too.
  private func labels(_ rest: inout Substring) throws -> [String: String] {
    var labels: [String: String] = [:]
    while true {
      guard let equals = rest.firstIndex(of: "="), Self.isName(rest[..<equals], colons: false)
      else { throw refuse("no label") }
      let name = String(rest[..<equals])
      rest = rest[rest.index(after: equals)...]
      guard rest.popFirst() == "\"" else { throw refuse("no quote") }
      var value = rest.prefix(0)
      var isEscaped = false
      let start = rest.startIndex
      while let character = rest.first {
        if character == "\"", !isEscaped { break }
        isEscaped = character == "\\" && !isEscaped
        rest.removeFirst()
      }
      value = Substring(rest.base[start..<rest.startIndex])
      guard rest.popFirst() == "\"" else { throw refuse("no closing quote") }
      guard labels.updateValue(try Self.unescaped(value, quotes: false), forKey: name) == nil else {
        throw refuse("a label twice")
      }
      switch rest.popFirst() {
      case ",": continue
      case "}": return labels
      default: throw refuse("no end of labels")
      }
    }
  }

  private static func number(_ text: Substring) throws -> Double {
    guard text.wholeMatch(of: /[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?/) != nil,
      let value = Double(text)
    else { throw Problem(description: "no number '\(text)'") }
    return value
  }

  private mutating func sample(_ line: Substring) throws {
    var rest = line
    let name = String(rest.prefix { $0 != "{" && $0 != " " })
    rest = rest.dropFirst(name.count)
    guard Self.isName(name, colons: true) else { throw refuse("no name") }
    var found: [String: String] = [:]
    if rest.first == "{" {
      rest.removeFirst()
      found = try labels(&rest)
    }
    guard rest.popFirst() == " " else { throw refuse("no blank before the value") }
    let words = rest.split(separator: " ", omittingEmptySubsequences: false)
    guard (1...2).contains(words.count) else { throw refuse("too many words") }
    let sample = Sample(
      name: name, labels: found, value: try Self.number(words[0]),
      time: words.count == 2 ? try Self.number(words[1]) : nil)
    try place(sample)
    samples.append(sample)
    hasSamples = true
  }

  /// Holds a point against its family and the points before it.
  private mutating func place(_ sample: Sample) throws {
    guard let type = types[family], sample.name.hasPrefix(family) else {
      throw refuse("not of the family \(family)")
    }
    let suffix = String(sample.name.dropFirst(family.count))
    let quantile = sample.labels["quantile"]
    switch (type, suffix) {
    case ("counter", "_total"), ("summary", "_count"):
      guard sample.value >= 0, quantile == nil else { throw refuse("no count") }
    case ("summary", ""):
      guard let share = quantile.flatMap(Double.init), (0...1).contains(share), sample.value >= 0
      else { throw refuse("no quantile") }
    case ("gauge", ""): guard quantile == nil else { throw refuse("a gauge with a quantile") }
    case ("info", "_info"): guard sample.value == 1 else { throw refuse("an info is 1") }
    default: throw refuse("no sample of a \(type)")
    }
    var own = sample.labels
    own["quantile"] = nil
    let key = own.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: "\n")
    if key != metric || !hasSamples {
      guard past.insert(key).inserted else { throw refuse("a metric in two places") }
      (metric, last) = (key, [:])
    }
    let series = suffix + (quantile ?? "")
    if let before = last[series] {
      guard let time = sample.time, let earlier = before.time, time > earlier else {
        throw refuse("points not in the order of time")
      }
      if suffix == "_total" || suffix == "_count" {
        guard sample.value >= before.value else { throw refuse("a count that falls") }
      }
    }
    last[series] = sample
  }
}
