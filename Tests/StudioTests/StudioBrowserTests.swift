// Goal: the page works in a real browser, by mouse and by keys, light and dark, on a tablet and wide.
// Method: a headless Chromium, steered through its debugging protocol, clicks and types at a real
// studio. Skipped where no Chromium is. With PITBOSS_PICTURES=DIR each form of the page is kept.
import Foundation
import RewardModel
import Scenario
import Studio
import TestSupport
import Testing

@Suite(
  "Studio in a browser", .tags(.slow),
  .enabled(if: Chromium.program != nil, "no Chromium on this machine"))
struct StudioBrowserTests {
  private let cost = "document.querySelector('#side-a .big')?.textContent"
  let state = "document.getElementById('state').textContent"
  let done = "8 of 8 replications"

  private func slider(_ path: String) -> String { "input[data-slider=\"\(path)\"]" }

  func field(_ path: String) -> String { "[data-path=\"\(path)\"]" }

  /// The page after all its replications.
  func open(
    _ studio: ServedStudio, _ browser: Chromium, width: Int = 1_280, dark: Bool = false
  ) async throws -> Chromium.Tab {
    let tab = try await browser.open(studio.address, width: width, height: 900, dark: dark)
    #expect(try await tab.wait(for: done, state) == done)
    return tab
  }

  /// Opens all groups, then the entries of their lists, as the headings do.
  func unfoldPrizes(_ tab: Chromium.Tab) async throws {
    for part in ["#groups > details", "#groups details details"] {
      let open = "document.querySelectorAll('\(part)').forEach((box) => { box.open = true; })"
      _ = try await tab.text("String(\(open))")
      try await holds(
        tab, "document.querySelectorAll('#groups [data-list^=\"rules.prizes\"]').length > 0")
    }
  }

  private func setting(_ studio: ServedStudio, _ path: String) -> ResolvedSetting? {
    studio.session.scenario.settings.first { $0.path == path }
  }

  /// Waits until an expression is true.
  func holds(_ tab: Chromium.Tab, _ expression: String) async throws {
    #expect(try await tab.wait(for: "true", expression) == "true", "\(expression)")
  }

  @Test("Keys on a slider move the setting, and the headline follows")
  func slides() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    let before = try await tab.text(cost)
    let path = "rules.scan_reward.base"
    try await tab.click(slider(path))
    for _ in 0..<20 { try await tab.press("ArrowRight") }
    try await holds(tab, "\(state) === '\(done)' && \(cost) !== '\(before)'")
    // The last key may still be on its way to the session.
    let value = try await tab.text("document.querySelector('\(field(path))').value")
    for _ in 0..<1_200 where setting(studio, path)?.valueText != value {
      try await Task.sleep(for: .milliseconds(50))
    }
    let moved = setting(studio, path)
    #expect(
      moved?.valueText == value && moved?.mark == .set,
      "the page shows \(value), the session holds \(moved?.valueText ?? "nothing")")
    let shown = "document.getElementById('state').textContent + document.body.dataset.shown"
    let last = done + "\(studio.session.settings.revision)"
    #expect(try await tab.wait(for: last, shown) == last)
    let said = try await tab.text("document.getElementById('said').textContent")
    #expect(said.contains("Expected cost in all"))
    // Undo, by keys.
    try await tab.focus(".setting:has(\(slider(path))) button")
    try await tab.press("Enter")
    try await holds(tab, "\(state) === '\(done)' && \(cost) === '\(before)'")
    #expect(try await tab.text("problems.join()") == "")
  }

  @Test("Keys on a slider of a time keep its unit, whatever unit the value is shown in")
  func times() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    let path = "rules.payouts.review"
    #expect(setting(studio, path)?.valueText == "1 d")
    try await tab.replace("#search", with: path)
    try await holds(tab, "document.querySelector('\(slider(path))') !== null")
    try await tab.focus(slider(path))
    var values: [String] = []
    for _ in 0..<3 {
      let before = setting(studio, path)?.valueText
      try await tab.press("ArrowLeft")
      for _ in 0..<1_200 where setting(studio, path)?.valueText == before {
        try await Task.sleep(for: .milliseconds(50))
      }
      let now = setting(studio, path)?.valueText ?? ""
      try await holds(tab, "document.querySelector('\(field(path))').value === '\(now)'")
      values.append(now)
    }
    // A step is a fiftieth of a day.
    #expect(values == ["84672 s", "82944 s", "81216 s"])
    // Without the focus it counts in the unit that is shown.
    try await tab.focus("#search")
    try await holds(tab, "Number(document.querySelector('\(slider(path))').value) > 80000")
    #expect(try await tab.text("problems.join()") == "")
  }

  @Test("A refused value and a search stay when another page moves a setting")
  func stays() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    let path = "rules.guarantee.amount"
    try await tab.replace("#search", with: path)
    try await holds(tab, "document.querySelector('\(field(path))') !== null")
    try await tab.replace(field(path), with: "much")
    try await tab.press("Enter")
    let error = "document.querySelector('.setting:has(\(field(path))) .error').textContent"
    try await holds(tab, "\(error) !== ''")
    let words = try await tab.text(error)
    // Two moves, of which the page hears of the second alone or of both.
    try studio.session.move("rules.scan_reward.base", to: "0.3")
    try studio.session.move("population.season", to: "none")
    try await holds(
      tab, "document.getElementById('set').textContent.includes('scan_reward.base 0.3')")
    #expect(try await tab.text("document.querySelector('\(field(path))').value") == "much")
    #expect(try await tab.text(error) == words)
    #expect(try await tab.text("document.getElementById('search').value") == path)
    #expect(try await tab.text("problems.join()") == "")
  }

  @Test("A field shows the last move of its slider while the answers to earlier ones come in")
  func outruns() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    let path = "rules.scan_reward.base"
    // Three moves at once: the first is sent, the last waits until what the field shows after the
    // first answer is noted.
    _ = try await tab.text(
      """
      (() => {
        const [asks, field] = [window.fetch, document.querySelector('\(field(path))')];
        let turn = null;
        window.seen = [];
        window.fetch = async (path, options) => {
          if (path !== '/move') return asks(path, options);
          await turn;
          const answer = await asks(path, options);
          turn = new Promise((done) => setTimeout(() => done(seen.push(field.value)), 100));
          return answer;
        };
        const slider = document.querySelector('\(slider(path))');
        slider.focus();
        for (let key = 0; key < 3; key += 1) {
          slider.stepUp();
          slider.dispatchEvent(new Event('input'));
        }
        window.last = field.value;
      })()
      """)
    try await holds(tab, "seen.length === 2")
    #expect(try await tab.text("seen.join()") == tab.text("[last, last].join()"))
    #expect(setting(studio, path)?.valueText == (try await tab.text("last")))
  }

  @Test("Results are outdated by their revision, whatever comes first: an answer or a picture")
  func overtakes() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    // The answer to the move is held back, and until then pictures of its revision have no results.
    _ = try await tab.text(
      """
      (() => {
        const asks = window.fetch;
        const go = new Promise((done) => { window.go = done; });
        let isHeld = true;
        go.then(() => { isHeld = false; });
        window.early = 0;
        window.fetch = async (path, options) => {
          const answer = await asks(path, options);
          if (path === '/move') await go;
          if (!path.startsWith('/picture') || !isHeld) return answer;
          const picture = await answer.json();
          if (picture.revision > 1) {
            picture.a.picture = null;
            picture.version -= 0.5;
            window.early += 1;
            await new Promise((done) => setTimeout(done, 50));
          }
          return new Response(JSON.stringify(picture));
        };
      })()
      """)
    // The picture that was asked for before comes with B.
    try await tab.click("#keep")
    try await holds(tab, "!document.getElementById('side-b').hidden")
    let path = "rules.scan_reward.base"
    let isOld = "document.getElementById('side-a').classList.contains('old')"
    try await tab.replace(field(path), with: "0.6")
    try await tab.press("Enter")
    try await holds(tab, "early > 1 && \(isOld) && document.body.dataset.shown === '1'")
    _ = try await tab.text("String(go())")
    try await holds(tab, "!\(isOld) && \(state) === '\(done)'")
    #expect(try await tab.text("document.body.dataset.shown") == "2")
    #expect(try await tab.text("problems.join()") == "")
  }

  @Test("A refused value shows the reader's words at its field, until a good one")
  func refused() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    let path = "rules.guarantee.amount"
    try await tab.replace(field(path), with: "much")
    try await tab.press("Enter")
    let error = ".setting:has(\(field(path))) .error"
    let words =
      "'much' is not a number; write an amount in USDT with up to 6 decimals, 0 to 1000000000"
    try await holds(
      tab, "document.querySelector('\(error)').textContent.startsWith(\"\(words)\")")
    #expect(
      try await tab.text("document.querySelector('\(field(path))').getAttribute('aria-invalid')")
        == "true")
    try await tab.replace(field(path), with: "12")
    try await tab.press("Enter")
    try await holds(tab, "document.querySelector('\(error)').textContent === ''")
    #expect(studio.session.scenario.settings.first { $0.path == path }?.valueText == "12")
    try await holds(
      tab, "/^Set here: .*\(path) 12/.test(document.getElementById('set').textContent)")
  }

  @Test("A misspelled search says what was meant, and one press finds it")
  func meant() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    try await tab.click("#search")
    try await tab.type("guarentee")
    let meant = "document.getElementById('meant').textContent"
    let question = "Nothing is called that. Did you mean guarantee?"
    #expect(try await tab.wait(for: question, meant) == question)
    try await tab.click("#meant button")
    try await holds(tab, "document.querySelector('\(field("rules.guarantee.after"))') !== null")
    #expect(try await tab.text("document.activeElement.id") == "search")
  }

  @Test("A setting that does nothing says which one to change first, until that is changed")
  func idle() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    try await tab.click("#search")
    try await tab.type("rules.shop")
    let words = "document.querySelector('.setting:has(\(field("rules.shop.shipping"))) .idle')"
    try await holds(tab, "\(words) !== null && !\(words).hidden")
    #expect(
      try await tab.text("\(words).textContent")
        == "Does nothing while rules.shop.enabled is false.")
    try await tab.click(field("rules.shop.enabled"))
    try await holds(tab, "\(words).hidden && \(words).textContent === ''")
  }

  @Test("Keep as B, move, and both stand side by side with what differs")
  func keeps() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    try await tab.click("#keep")
    try await holds(tab, "!document.getElementById('side-b').hidden")
    let path = "rules.scan_reward.base"
    try await tab.replace(field(path), with: "0.6")
    try await tab.press("Enter")
    let words = "document.getElementById('difference').textContent"
    try await holds(tab, "\(state) === '\(done)' && \(words).includes('more than B')")
    try await holds(tab, "\(words).endsWith('in 8 replications with the same luck.')")
    #expect(
      try await tab.text("document.querySelector('#differs tbody').textContent")
        == "\(path)0.60.2")
    try await tab.click("#restore")
    try await holds(tab, "\(words).startsWith('A and B cost the same')")
    // Going back once more changes nothing, so that what is shown stays what it is.
    try await holds(tab, "\(state) === '\(done)'")
    let asked = "performance.getEntriesByType('resource').filter((e) => /settings$/.test(e.name))"
    let loads = try #require(Int(try await tab.text("\(asked).length")))
    try await tab.click("#restore")
    try await holds(tab, "\(asked).length > \(loads)")
    try await holds(
      tab,
      "\(state) === '\(done)' && !document.getElementById('side-a').classList.contains('old')")
    try await tab.click("#drop")
    try await holds(tab, "document.getElementById('side-b').hidden")
    #expect(try await tab.text("problems.join()") == "")
  }

  @Test("A button copies an entry of a list, another removes it")
  func lists() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    let count = "String(document.querySelectorAll('#groups [data-list^=\"rules.prizes\"]').length)"
    let before = studio.session.scenario.rows(at: "rules.prizes[*].name").count
    try await unfoldPrizes(tab)
    try await holds(tab, "\(count) === '\(2 * before)'")
    try await tab.click("[data-list=\"rules.prizes[0] copy\"]")
    try await holds(tab, "\(count) === '\(2 * before + 2)'")
    #expect(studio.session.scenario.rows(at: "rules.prizes[*].name").count == before + 1)
    try await unfoldPrizes(tab)
    try await tab.click("[data-list=\"rules.prizes[1] remove\"]")
    try await holds(tab, "\(count) === '\(2 * before)'")
    #expect(studio.session.scenario.rows(at: "rules.prizes[*].name").count == before)
  }

  @Test("Saving asks before it replaces; opening shows what is wrong with a file")
  func files() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    try await tab.replace(field("rules.guarantee.amount"), with: "12")
    try await tab.press("Enter")
    try await holds(tab, "document.body.dataset.shown === '2'")
    let words = "document.getElementById('save-words').textContent"
    try await tab.replace("#save-path", with: "mine.yaml")
    try await tab.press("Enter")
    #expect(try await tab.wait(for: "Saved as mine.yaml.", words) == "Saved as mine.yaml.")
    let saved = studio.folder.appending(path: "mine.yaml")
    let loaded = try Scenario.load(path: saved.path)
    #expect(loaded.canonicalText == studio.session.scenario.canonicalText)
    try await tab.click("#save button[type=submit]")
    let asked = "mine.yaml already exists; replace it?"
    #expect(try await tab.wait(for: asked, words) == asked)
    // The question has the focus, so that one key answers it.
    #expect(try await tab.text("document.activeElement.id") == "save-replace")
    try await tab.press("Enter")
    #expect(try await tab.wait(for: "Saved as mine.yaml.", words) == "Saved as mine.yaml.")
    let bad = studio.folder.appending(path: "bad.yaml")
    try Data("name: bad\nseed: many\n".utf8).write(to: bad)
    try await tab.choose(bad, in: "#open")
    let opened = "document.getElementById('open-words').textContent"
    try await holds(tab, "\(opened).startsWith('bad.yaml:2:7: seed: ')")
    let latin = studio.folder.appending(path: "latin.yaml")
    try Data([0x6E, 0x61, 0x6D, 0x65, 0x3A, 0x20, 0xE9, 0x0A]).write(to: latin)
    try await tab.choose(latin, in: "#open")
    try await holds(tab, "\(opened) === 'latin.yaml: is not UTF-8; save the file as UTF-8'")
    let good = studio.folder.appending(path: "good.yaml")
    try Data("name: good one\npopulation: {members: 80}\ncalendar: {days: 40}\n".utf8)
      .write(to: good)
    try await tab.choose(good, in: "#open")
    #expect(
      try await tab.wait(for: "good one", "document.getElementById('name').textContent")
        == "good one")
    try await holds(tab, "\(opened) === '' && \(state) === '\(done)'")
  }

  @Test("A value is found by the form, and taken by its button")
  func seeks() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    let path = "rules.scan_reward.base"
    _ = try await tab.text(
      "(() => { const s = document.getElementById('goal-path'); s.value = '\(path)'; "
        + "s.dispatchEvent(new Event('change')); })()")
    #expect(try await tab.text("document.getElementById('goal-low').value") == "0")
    try await tab.replace("#goal-condition", with: "P(critcal) <= 5 %")
    try await tab.press("Enter")
    try await holds(
      tab, "document.getElementById('goal-condition-error').textContent.includes('critical')")
    let figure = studio.session.scenario.figures.choices.cost
    let text = try await tab.text(cost)
    let now = try #require(Double(text.split(separator: " ")[0].replacing(",", with: "")))
    try await tab.replace("#goal-condition", with: "mean(\(figure)) < \(Int(now * 1.5))")
    try await tab.press("Enter")
    // The search runs a thousand replications or more.
    for _ in 0..<6 {
      let found = "!document.getElementById('goal-use').hidden"
      if try await tab.wait(for: "true", found) == "true" { break }
    }
    try await tab.click("#goal-use")
    try await holds(
      tab, "document.querySelector('\(field(path))').value !== '0.2' && \(state) === '\(done)'")
    #expect(try await tab.text("problems.join()") == "")
  }

  @Test("Names of scenarios run nothing")
  func names() async throws {
    let evil = "<img src=x onerror=problems.push(1)>\"'</script><script>problems.push(2)</script>"
    let studio = try await ServedStudio(
      "name: \"\(evil.replacing("\"", with: "\\\""))\"\npopulation: {members: 60}\ncalendar: {days: 40}\n"
    )
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    try await tab.click("#keep")
    try await holds(tab, "!document.getElementById('side-b').hidden")
    #expect(try await tab.text("document.getElementById('name').textContent") == evil)
    #expect(try await tab.text("problems.join()") == "")
  }
}
