// Goal: what a load had to show is judged once, and told alike on the page and to build servers.
// Method: made-up loads that miss one thing each; the XML is read by Foundation's parser.
import Foundation
import FoundationXML
import Reports
import RewardModel
import Testing

@testable import LoadTest

/// Elements of an XML text in their order, with the text in them.
private final class Elements: NSObject, XMLParserDelegate {
  var found: [(name: String, attributes: [String: String], text: String)] = []
  private var open: [Int] = []

  static func read(_ text: String) throws -> Elements {
    let elements = Elements()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = elements
    try #require(parser.parse(), "\(String(describing: parser.parserError))\n\(text)")
    return elements
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    open.append(found.count)
    found.append((name, attributes, ""))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let last = open.last { found[last].text += text }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) { open.removeLast() }

  func all(_ name: String) -> [(name: String, attributes: [String: String], text: String)] {
    found.filter { $0.name == name }
  }
}

@Suite struct LoadVerdictTests {
  @Test func aLoadThatShowedEverythingIsGood() throws {
    var result = LoadFixture.result()
    result.measures.steps[1] = StepMeasure()
    result.measures.thresholds = [
      try LoadFixture.threshold("scan p(99) < 300ms", value: 9e6, isMet: true)
    ]
    result.audit = LoadAudit(acknowledged: 24, requests: 30, problems: [])
    let verdict = LoadVerdict(result)
    #expect(verdict.tone == .good && verdict.checks.allSatisfy { $0.passed })
    #expect(
      verdict.words
        == "The load was offered, no attempt failed, the threshold was met, the audit found nothing wrong."
    )
    #expect(
      verdict.checks.map(\.name) == [
        "the load was offered", "the load ran to its end", "the service kept answering",
        "scan p(99) < 300ms",
        "the service's files are whole", "acknowledged requests are in the journal once",
        "the journal has no gaps",
        "replies are what the rules give", "claims of codes are what the journal gives",
        "tables are what the journal gives", "accounts are of members who joined",
        "the program's laws hold",
      ])
  }

  @Test func errorsThatNobodySetALimitForAreACaution() {
    let verdict = LoadVerdict(LoadFixture.result())
    #expect(verdict.tone == .caution && verdict.checks.allSatisfy { $0.passed })
    #expect(verdict.words == "The load was offered, 3.6 % of the attempts failed.")
  }

  /// A load of ten seconds whose service answers in the first ones.
  private func outage(
    after seconds: Int, sent: Int = 10, givenUp: Int = 0, by kind: LoadErrorKind = .connect
  ) -> LoadResult {
    var measures = LoadMeasures(journeys: 2, steps: 3)
    for second in 0..<12 {
      let (isStarting, isUp) = (second < 10, second < seconds)
      if isStarting { measures.steps[0].offered += sent }
      measures.current.sent = isStarting ? sent : 1
      for _ in 0..<(isStarting || isUp ? sent : 1) {
        guard isUp else {
          measures.failed(0, kind)
          continue
        }
        measures.answered(0, refused: false, latency: 1_000, service: 1_000, inTime: isStarting)
      }
      measures.finishSecond(underWay: 0, waiting: 0)
    }
    for _ in 0..<givenUp { measures.gaveUp(0, after: kind, latency: 1_000_000) }
    measures.elapsed = 12
    var shape = LoadFixture.shape
    shape.seconds = 10
    return LoadFixture.result(measures, shape: shape)
  }

  @Test func aServiceThatStopsAnsweringFailsALoadWithoutThresholds() throws {
    let result = outage(after: 4, givenUp: 20)
    let verdict = LoadVerdict(result)
    #expect(verdict.tone == .bad && verdict.checks.map(\.passed) == [true, true, false])
    #expect(
      verdict.words
        == "Failed: the service did not keep answering (no answer came after the first 4 seconds, "
        + "while 62 attempts were sent; 20 of 100 requests had no answer), 60.8 % of the attempts "
        + "failed.")
    let failure = try #require(try Elements.read(LoadJUnit.xml(result)).all("failure").first)
    #expect(
      failure.text.hasPrefix(
        "the service kept answering: no answer came after the first 4 seconds, while"))
    for (seconds, words) in [(0, "at all"), (1, "after the first second")] {
      let silence = LoadSilence(outage(after: seconds))
      #expect(silence?.words.hasPrefix("no answer came \(words), while") == true)
    }
    #expect(
      LoadSilence(outage(after: 12, givenUp: 51))?.words == "51 of 100 requests had no answer")
  }

  @Test("A load that ended itself before a slow answer came does not call the service silent")
  func endedEarly() {
    func load(_ failures: Int) -> LoadMeasures {
      var measures = LoadMeasures(journeys: 1, steps: 1)
      measures.current.sent = 60
      for _ in 0..<failures { measures.failed(0, .connect) }
      measures.finishSecond(underWay: 60 - failures, waiting: 0)
      measures.elapsed = 1
      return measures
    }
    var measures = load(0)
    #expect(LoadSilence(measures, of: 1)?.attempts == 60)
    measures.wasAborted = true
    #expect(LoadSilence(measures, of: 1) == nil)
    // Where nobody listens, that is known at once.
    measures = load(3)
    measures.wasAborted = true
    #expect(LoadSilence(measures, of: 1)?.attempts == 60)
  }

  @Test("Errors while a service goes on, and one slow answer at the end, are no silence")
  func noSilence() {
    for result in [
      LoadFixture.result(), outage(after: 12, givenUp: 50), outage(after: 11), outage(after: 10),
      outage(after: 9, sent: 4),
    ] {
      #expect(LoadSilence(result) == nil)
    }
    #expect(LoadSilence(outage(after: 9)) != nil)
  }

  @Test("An error that a service answers with is an answer, even to every request")
  func errorsAreAnswers() {
    for kind in LoadErrorKind.allCases {
      let isAnswer = [.server, .throttled, .status, .check].contains(kind)
      for result in [outage(after: 0, by: kind), outage(after: 12, givenUp: 100, by: kind)] {
        #expect((LoadSilence(result) == nil) == isAnswer, "\(kind)")
      }
    }
    let verdict = LoadVerdict(outage(after: 0, givenUp: 100, by: .status))
    #expect(verdict.tone == .caution && verdict.checks.allSatisfy(\.passed))
    #expect(verdict.words == "The load was offered, 100.0 % of the attempts failed.")
    #expect(verdict.checks[2].finding == "100 of 100 requests were given up after errors")
  }

  @Test func aLoadThatWasNotOfferedDoesNotCount() throws {
    var result = try LoadFixture.full { $0.measures.unsent = 10 }
    // What the audit found is told all the same.
    #expect(
      LoadVerdict(result).words.hasPrefix("Failed: the load was not offered, the audit found 1"))
    result.audit?.problems = []
    let verdict = LoadVerdict(result)
    #expect(verdict.tone == .bad && !verdict.checks[0].passed)
    #expect(verdict.words.hasPrefix("Does not count: the generator was the limit, as 20.0 %"))
  }

  @Test func anAuditThatCouldNotBeMadeIsNoCleanOne() throws {
    var result = LoadFixture.result()
    result.audit = LoadAudit(
      acknowledged: 9, requests: nil, problems: [], failure: "no room in /tmp")
    let verdict = LoadVerdict(result)
    #expect(
      LoadText.text(result, folder: nil, width: 80, colour: false)
        .contains("\n9 acknowledged requests\n"))
    #expect(LoadDocument.json(result).contains(#/"requests": null,\s+"problems": \[\]/#))
    #expect(verdict.words.hasPrefix("Failed: the audit could not be made: no room in /tmp"))
    #expect(verdict.checks.last?.passed == false)
  }

  @Test func problemsOfTheAuditComeBeforeMissedThresholds() throws {
    let verdict = LoadVerdict(try LoadFixture.full())
    #expect(
      verdict.words
        == "Failed: the audit found 1 problem, 1 of 3 thresholds were missed, 3.6 % of the attempts failed."
    )
    #expect(verdict.checks[4].finding == "the worst stretch had 5.000 %, missed first after 3 s")
    #expect(verdict.checks[5].finding == "nothing was measured for it")
  }

  @Test func aLoadThatWasStoppedSaysWhen() {
    var result = LoadFixture.result()
    result.measures.wasInterrupted = true
    let verdict = LoadVerdict(result)
    #expect(verdict.tone == .caution && !verdict.checks[1].passed)
    #expect(verdict.words.hasPrefix("Stopped early: it was interrupted after 4.2 s of 4.0 s"))
  }

  @Test("What a load that was stopped could not measure is not missed, but what it measured is")
  func undecided() throws {
    var result = LoadFixture.result()
    result.measures.thresholds = [
      try LoadFixture.threshold("errors < 5% for 10s", value: nil, isMet: false)
    ]
    #expect(result.missed.count == 1 && result.undecided.isEmpty)
    #expect(LoadVerdict(result).words.hasPrefix("Failed: the threshold was missed"))
    result.measures.wasInterrupted = true
    #expect(result.missed.isEmpty && result.undecided.count == 1)
    let verdict = LoadVerdict(result)
    #expect(verdict.tone == .caution && verdict.words.hasPrefix("Stopped early: "))
    #expect(verdict.words.hasSuffix(", the threshold was not measured."), "\(verdict.words)")
    #expect(
      LoadPage.html(result, plotly: .cdn, source: nil).contains("not measured: errors &lt; 5%"))
    result.measures.thresholds += [
      try LoadFixture.threshold("errors < 1%", value: 0.04, isMet: false)
    ]
    #expect(result.missed.map(\.threshold.text) == ["errors < 1%"])
    #expect(
      LoadVerdict(result).words
        == "Failed: 1 of 2 thresholds were missed, 3.6 % of the attempts failed, 1 of 2 thresholds "
        + "were not measured.")
  }

  @Test("What was not measured as a load was ended early is skipped, and no failure, everywhere")
  func skipped() throws {
    var result = LoadFixture.result()
    result.measures.thresholds = [
      try LoadFixture.threshold("errors < 5% for 10s", value: nil, isMet: false)
    ]
    func read() throws -> Elements { try Elements.read(LoadJUnit.xml(result)) }
    #expect(try read().all("failure").count == 1 && read().all("skipped").isEmpty)
    result.measures.wasInterrupted = true
    let elements = try read()
    // That it did not run to its end is what failed.
    #expect(elements.all("failure").count == 1)
    #expect(
      elements.all("skipped").map(\.attributes) == [["message": "nothing was measured for it"]])
    for suite in elements.all("testsuites") + elements.all("testsuite") {
      #expect(suite.attributes["failures"] == "1" && suite.attributes["skipped"] == "1")
    }
    #expect(LoadVerdict(result).checks.map(\.failed) == [false, true, false, false])
    #expect(LoadMetrics.text(result).contains("pitboss_load_checks_failed 1 "))
    #expect(LoadPage.html(result, plotly: .cdn, source: nil).contains(">not measured<"))
    #expect(LoadDocument.json(result).contains("\"undecided\": true"))
  }

  @Test func aLoadThatWasEndedAtAMissedThresholdCounts() throws {
    let result = try LoadFixture.full {
      $0.measures.wasAborted = true
      $0.measures.unsent = 100
      $0.measures.notDue = 100
    }
    let verdict = LoadVerdict(result)
    #expect(verdict.checks[0].passed && !verdict.checks[1].passed)
    #expect(verdict.checks[1].finding == "it was ended after 4.2 s, at the first missed threshold")
    #expect(verdict.words.hasPrefix("Failed: "))
  }

  @Test(
    "A generator that was late, or owed sessions, did not offer a load that ended early either",
    arguments: [(late: 1, owed: 0), (late: 0, owed: 1), (late: 0, owed: 0)], [true, false])
  func lateGenerator(_ missed: (late: Int, owed: Int), isAborted: Bool) throws {
    let result = try LoadFixture.full {
      $0.measures.wasAborted = isAborted
      $0.measures.wasInterrupted = !isAborted
      $0.measures.late = missed.late
      $0.measures.unsent = 1_000 + missed.owed
      $0.measures.notDue = 1_000
    }
    // One of some forty is more than a hundredth of those that were due.
    #expect(result.measures.wasOffered == (missed.late + missed.owed == 0))
    #expect(LoadVerdict(result).checks[0].passed == result.measures.wasOffered)
  }

  @Test func buildServersGetATestCaseACheck() throws {
    let command = "pitboss stress made-up --threshold 'scan p(99) < 300ms'"
    let result = try LoadFixture.full { $0.command = command }
    let elements = try Elements.read(LoadJUnit.xml(result))
    let suites = try #require(elements.all("testsuites").first)
    let suite = try #require(elements.all("testsuite").first)
    #expect(suites.attributes["name"] == LoadJUnit.suites)
    for attributes in [suites.attributes, suite.attributes] {
      #expect(attributes["tests"] == "14" && attributes["failures"] == "2")
      #expect(attributes["time"] == "4.250" && attributes["errors"] == "0")
    }
    #expect(suite.attributes["timestamp"] == "2026-01-01T00:00:00")
    let cases = elements.all("testcase")
    #expect(cases.map { $0.attributes["name"] } == LoadVerdict(result).checks.map(\.name))
    let failures = elements.all("failure")
    #expect(failures.count == 2)
    #expect(
      failures[0].attributes["message"] == "the worst stretch had 5.000 %, missed first after 3 s")
    #expect(failures.allSatisfy { $0.text.hasSuffix("repeat: \(command)") })
    #expect(failures[1].text.hasPrefix("the journal has no gaps: request 7 is missing\n"))
    // Only the audit's own case tells of it.
    #expect(!failures[0].text.contains("request 7"))
  }

  @Test(
    "No name ends the document or an attribute",
    arguments: [
      "<&>\"'", "a]]>b", "\u{0}\u{1B}[2J\u{8}", "\u{FFFE}\u{FFFF}", "\u{202E}right", "é日",
    ])
  func hostileNames(_ name: String) throws {
    var result = LoadFixture.result(scenario: name, command: name)
    result.audit = LoadAudit(acknowledged: 0, requests: 0, problems: [AuditProblem(.journal, name)])
    result.measures.wasInterrupted = true
    let elements = try Elements.read(LoadJUnit.xml(result))
    #expect(elements.found.count == 2 + 11 + 2)
    let shown = try #require(elements.all("testsuite").first?.attributes["name"])
    #expect(shown.hasSuffix(" at 127.0.0.1:8080"))
    if name.unicodeScalars.allSatisfy({ $0.value > 0x1F && $0.value < 0x2000 }) {
      #expect(shown.hasPrefix(name))
    }
  }
}
