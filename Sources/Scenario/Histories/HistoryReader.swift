internal import Programmes
internal import Quantities
internal import RewardModel

/// Reads and judges the rows of one history file.
struct HistoryReader {
  private let form: HistoryForm
  private let header: String
  /// The events' words as bytes.
  private let words: [[UInt8]]
  private let file: String
  private var scanner: CSVScanner
  private var instants: InstantParser
  private var findings: [InputFinding] = []
  private var omitted = 0
  // Looked up only, never iterated: their order differs from process to process.
  private var numbers: [Name: UInt32] = [:]
  private var knownTimes: [String: Time] = [:]
  private var lastTime: (field: CSVScanner.Field, time: Time)?
  private var lastName: (field: CSVScanner.Field, number: UInt32)?
  private var names: [String] = []
  private var rows: [HistoryRow] = []

  /// - Throws: `InputErrors` when the zone is unknown, or the bytes are not text.
  init(
    _ form: HistoryForm, bytes: [UInt8], file: String, zone: String
  ) throws(InputErrors) {
    self.form = form
    header = form.header
    words = form.events.map { Array($0.word.utf8) }
    self.file = file
    do throws(CalendarError) {
      instants = try InstantParser(zone: zone)
    } catch {
      throw InputErrors([InputFinding(source: file, message: error.description)])
    }
    if let place = InputFile.firstInvalidUTF8(bytes) {
      throw InputErrors([
        InputFinding(
          source: file, line: place.line,
          message: "is not UTF-8 from column \(place.column) on; save the file as UTF-8")
      ])
    }
    scanner = CSVScanner(bytes: bytes)
    rows.reserveCapacity(bytes.count / 24)
    if bytes.contains(0) { reportNuls(bytes) }
  }

  /// Reads all rows.
  ///
  /// - Throws: `InputErrors` with every finding.
  mutating func read() throws(InputErrors) -> History {
    if findings.isEmpty && readHeader() { readRows() }
    guard findings.isEmpty else { throw InputErrors(findings, omitted: omitted) }
    return History(form, names: names, fileRows: rows)
  }

  private mutating func report(_ line: Int, _ message: String) {
    if findings.count < InputErrors.limit {
      findings.append(InputFinding(source: file, line: line, message: message))
    } else {
      omitted += 1
    }
  }

  private mutating func reportNuls(_ bytes: [UInt8]) {
    for (index, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated()
    where line.contains(0) {
      report(index + 1, "has a NUL byte; save the file as text in UTF-8")
    }
  }

  private mutating func readHeader() -> Bool {
    switch scanner.next() {
    case .end:
      report(0, "is empty; write the header \(header) and rows below it")
      return false
    case .broken(let wrong):
      report(scanner.line, wrong)
      return false
    case .record:
      let found = scanner.fields.indices.map { scanner.text($0) }.joined(separator: ",")
      guard found == header else {
        // Amounts of one program are things, of another money: its file is no mistake in a header.
        let other = Programmes.all.first { $0.history.header == found }
        report(
          scanner.line,
          other.map {
            "the header is that of a history of \($0.name); take a scenario of that program, or "
              + "'calibrate' with --programme \($0.id)"
          } ?? "the header is '\(found.shortened)'; write \(header)")
        return false
      }
      return true
    }
  }

  private mutating func readRows() {
    var blankLines: [Int] = []
    var count: UInt32 = 0
    while true {
      switch scanner.next() {
      case .end:
        if count == 0 { report(1, "no rows follow the header; write at least one") }
        return
      case .broken(let wrong):
        count += 1
        report(scanner.line, wrong)
      case .record:
        if scanner.isBlank {
          if blankLines.count <= InputErrors.limit { blankLines.append(scanner.line) }
          continue
        }
        count += 1
        readRow(count)
      }
      // Blank lines are allowed at the end only.
      for line in blankLines { report(line, "is blank; remove the line") }
      blankLines.removeAll()
    }
  }

  private mutating func readRow(_ rowNumber: UInt32) {
    let line = scanner.line
    guard scanner.fields.count == 5 else {
      let count = scanner.fields.count
      report(
        line, "has \(count) \(count == 1 ? "field" : "fields"); write 5: \(header)")
      return
    }
    let time = readTime(line)
    if scanner.isEmpty(1) { report(line, "member is empty; write the member's name or number") }
    guard let kind = readEvent(line) else { return }
    let event = form.events[kind]
    let amount = readAmount(event, line)
    let isValid = checkOther(event, line)
    guard let time, let amount, isValid, !scanner.isEmpty(1), findings.isEmpty else { return }
    let member = number(of: 1)
    let other = event.other == nil ? .max : number(of: 4)
    rows.append(
      HistoryRow(
        instant: time.instant, hasClock: time.hasClock, row: rowNumber,
        line: UInt32(clamping: line), member: member, other: other, amount: amount,
        kind: UInt8(kind)))
  }

  private mutating func readTime(_ line: Int) -> Time? {
    // Histories repeat their times: a purchase and its scan, a day and its purchases.
    let field = scanner.fields[0]
    if let lastTime, scanner.same(lastTime.field, field) { return lastTime.time }
    let text = scanner.text(0)
    guard let time = knownTimes[text] ?? parse(text) else {
      if let date = CivilDate(String(text.prefix(10))), !InstantParser.years.contains(date.year) {
        report(
          line,
          "'\(text.shortened)' is out of range; write times from 1970 to \(InstantParser.years.upperBound)"
        )
        return nil
      }
      report(
        line,
        "'\(text.shortened)' is not a time; write ISO 8601, as in 2026-01-31 or "
          + "2026-01-31T20:15:00Z")
      return nil
    }
    guard !isTooEarly(time.instant) else {
      report(line, "'\(text.shortened)' is before 1970; write times from 1970-01-01 on")
      return nil
    }
    if knownTimes.count < 1 << 16 { knownTimes[text] = time }
    lastTime = (field, time)
    return time
  }

  private mutating func parse(_ text: String) -> Time? {
    instants.parse(text).map { Time(instant: $0, hasClock: CivilDate(text) == nil) }
  }

  /// Whether its local date is before those on which a scenario can start.
  private func isTooEarly(_ instant: Instant) -> Bool {
    // Everywhere 1970 began less than a day after it began in UTC.
    guard instant.microseconds < 86_400_000_000 else { return false }
    return instants.localDate(of: instant).year < 1970
  }

  /// Place of the row's event in the form.
  private mutating func readEvent(_ line: Int) -> Int? {
    if let place = words.firstIndex(where: { scanner.equals(2, $0) }) { return place }
    let text = scanner.text(2)
    let known = form.events.map(\.word)
    let cure =
      nearest(to: text, among: known).map { "did you mean '\($0)'?" }
      ?? "write \(known.count == 1 ? "" : "one of ")\(known.joined(separator: ", "))"
    report(line, "unknown event '\(text.shortened)'; \(cure)")
    return nil
  }

  private mutating func readAmount(_ event: HistoryForm.Event, _ line: Int) -> Int64? {
    if scanner.isEmpty(3), !event.hasAmount || form.currency == nil { return form.noAmount }
    let value = amount
    if event.hasAmount {
      if let value, form.amounts.contains(value) { return value }
    } else if value == form.noAmount {
      return value
    }
    // What would do is said only where it is not done: a text for each row would take longer than all
    // else that is read of it.
    let row = event.hasAmount ? "" : " on \(event.rowName)"
    let wanted = event.hasAmount ? wantedAmount : "leave it empty"
    report(line, "\(form.column) is '\(scanner.text(3).shortened)'\(row); \(wanted)")
    return nil
  }

  /// The amount that is written, in micro-USDT where it is money; nil for anything else.
  private var amount: Int64? {
    guard let money else { return wholeNumber(3) }
    guard case .money(let amount)? = try? money.read(scanner.text(3), style: .plain) else {
      return nil
    }
    return amount.microunits
  }

  /// The shape of amounts that are money; nil where they are counts.
  private var money: SettingShape? {
    form.currency.map { SettingShape.money(form.amounts, currency: $0) }
  }

  /// Which amounts may be written.
  private var wantedAmount: String {
    if let money { return "write \(money.wanted)" }
    let range = "write a whole number from \(form.amounts.lowerBound) to \(form.amounts.upperBound)"
    return form.amounts.contains(1) ? range + ", or nothing for 1" : range
  }

  /// A field of at most nine digits as a number; nil for anything else.
  private func wholeNumber(_ index: Int) -> Int64? {
    let field = scanner.fields[index]
    guard field.end - field.start <= 9 else { return nil }
    var value: Int64 = 0
    for byte in scanner.bytes[field.start..<field.end] {
      guard byte >= 48, byte <= 57 else { return nil }
      value = value * 10 + Int64(byte - 48)
    }
    return value
  }

  private mutating func checkOther(_ event: HistoryForm.Event, _ line: Int) -> Bool {
    guard let other = event.other else {
      if scanner.isEmpty(4) { return true }
      report(
        line,
        "other is '\(scanner.text(4).shortened)' on \(event.rowName); leave it empty")
      return false
    }
    if scanner.isEmpty(4) {
      report(line, "other is empty on \(event.rowName); name \(other.whom)")
      return false
    }
    if scanner.text(1).utf8.elementsEqual(scanner.text(4).utf8) {
      report(
        line,
        "'\(scanner.text(1).shortened)' \(other.itself); name another member as other")
      return false
    }
    return true
  }

  private mutating func number(of field: Int) -> UInt32 {
    // Many histories are written member by member.
    let place = scanner.fields[field]
    if let lastName, scanner.same(lastName.field, place) { return lastName.number }
    let number = search(field)
    lastName = (place, number)
    return number
  }

  private mutating func search(_ field: Int) -> UInt32 {
    // Most names have come before, as the bytes that they are.
    let place = scanner.fields[field]
    let name = Name(bytes: Array(scanner.bytes[place.start..<place.end]))
    if !place.hasQuotes, let known = numbers[name] { return known }
    let text = scanner.text(field)
    let key = Name(bytes: Array(text.utf8))
    if let known = numbers[key] { return known }
    let number = UInt32(names.count)
    numbers[key] = number
    names.append(text)
    return number
  }

  /// A time as a row has it.
  private struct Time {
    let instant: Instant
    /// False of a date alone, which is read as its local midnight.
    let hasClock: Bool
  }

  /// A name by its bytes: texts that merely look alike are different members.
  private struct Name: Hashable {
    let bytes: [UInt8]

    // All bytes at once: an array hashes them one by one.
    func hash(into hasher: inout Hasher) {
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }
}

extension HistoryForm.Event {
  /// A row of the event, in messages: `a scan row`, `an order row`.
  fileprivate var rowName: String {
    "\(word.first.map { "aeiou".contains($0) } == true ? "an" : "a") \(word) row"
  }
}
