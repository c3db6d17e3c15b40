// What is not to get lost: a value while the studio does not answer, and the place of the keyboard.
import Foundation
import RewardModel
import Scenario
import Studio
import TestSupport
import Testing

extension StudioBrowserTests {
  /// Which element the keyboard is at.
  private var focused: String { "(document.activeElement.id || document.activeElement.tagName)" }

  @Test("A value that could not be sent is sent when the studio answers again")
  func lostMove() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    let path = "rules.scan_reward.base"
    _ = try await tab.text(
      "(() => { window.fetched = window.fetch; "
        + "window.fetch = () => Promise.reject(new TypeError('no network')); return ''; })()")
    try await tab.replace(field(path), with: "0.7")
    try await tab.press("Enter")
    try await holds(tab, "!document.getElementById('lost').hidden")
    #expect(studio.session.scenario.settings.first { $0.path == path }?.valueText != "0.7")
    _ = try await tab.text("(() => { window.fetch = window.fetched; return ''; })()")
    try await holds(tab, "document.getElementById('lost').hidden")
    try await holds(tab, "document.getElementById('set').textContent.includes('\(path) 0.7')")
    #expect(studio.session.scenario.settings.first { $0.path == path }?.valueText == "0.7")
    #expect(try await tab.text("document.querySelector('\(field(path))').value") == "0.7")
  }

  @Test("A refused value names the one in force, and Undo goes back to it")
  func undoneRefusal() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    let path = "rules.guarantee.amount"
    // Its group shows it, too.
    let boxes = "document.querySelectorAll('#groups > details')"
    _ = try await tab.text("String(\(boxes).forEach((box) => { box.open = true; }))")
    let all = "Array.from(document.querySelectorAll('\(field(path))'))"
    try await holds(tab, "\(all).length === 2")
    let box = ".setting:has(\(field(path)))"
    let before = try await tab.text("document.querySelector('\(field(path))').value")
    let revision = studio.session.settings.revision
    #expect(try await tab.text("String(document.querySelector('\(box) button').hidden)") == "true")
    try await tab.replace(field(path), with: "much")
    try await tab.press("Enter")
    let error = "document.querySelector('\(box) .error').textContent"
    try await holds(tab, "\(error).endsWith('\\nIt stays \(before).')")
    try await tab.click("\(box) button")
    try await holds(tab, "\(error) === '' && document.querySelector('\(box) button').hidden")
    #expect(try await tab.text("document.querySelector('\(field(path))').value") == before)
    let isBack = "(field) => !field.ariaInvalid && field.value === '\(before)'"
    #expect(try await tab.text("String(\(all).every(\(isBack)))") == "true")
    #expect(try await tab.text("document.activeElement.dataset.path") == path)
    #expect(studio.session.settings.revision == revision)
  }

  @Test("Who searches by keys stays at the button pressed, and goes to the field that is wrong")
  func searchingByKeys() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    for (field, text) in [("low", "little"), ("high", "much")] {
      let before = try await tab.text("document.getElementById('goal-\(field)').value")
      try await tab.replace("#goal-\(field)", with: text)
      try await tab.press("Enter")
      let wrong = "document.getElementById('goal-\(field)').getAttribute('aria-invalid') === 'true'"
      try await holds(tab, "\(wrong) && document.activeElement.id === 'goal-\(field)'")
      try await tab.replace("#goal-\(field)", with: before)
    }
    let figure = studio.session.scenario.figures.choices.cost
    try await tab.replace("#goal-condition", with: "mean(\(figure)) < 12345678")
    try await tab.focus("#goal-find")
    try await tab.press("Enter")
    try await holds(tab, "\(focused) === 'goal-cancel'")
    try await tab.press("Enter")
    try await holds(tab, "\(focused) === 'goal-find'")
    #expect(try await tab.text("problems.join()") == "")
  }

  @Test("Who removes an entry by keys stays near it")
  func removingByKeys() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    try await unfoldPrizes(tab)
    let count = "document.querySelectorAll('#groups [data-list^=\"rules.prizes\"]').length"
    let before = try #require(Int(try await tab.text("String(\(count))")))
    try await tab.focus("[data-list=\"rules.prizes[\(before / 2 - 1)] remove\"]")
    try await tab.press("Enter")
    try await holds(tab, "\(count) === \(before - 2)")
    try await holds(tab, "document.getElementById('groups').contains(document.activeElement)")
  }

  @Test("Two presses at once on Remove take one entry away")
  func removingTwice() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    try await unfoldPrizes(tab)
    let count = "document.querySelectorAll('#groups [data-list^=\"rules.prizes\"]').length"
    let before = try #require(Int(try await tab.text("String(\(count))")))
    _ = try await tab.text(
      "(() => { const button = document.querySelector('[data-list=\"rules.prizes[0] remove\"]'); "
        + "button.click(); button.click(); return ''; })()")
    try await holds(tab, "\(count) < \(before)")
    // The next change waits for the one before, and shows that no other has happened.
    let path = "rules.scan_reward.base"
    _ = try await tab.text(
      "(() => { const field = document.querySelector('\(field(path))'); field.value = '0.7'; "
        + "field.dispatchEvent(new Event('change')); return ''; })()")
    let mark = "document.querySelector('.setting:has(\(field(path))) .mark').textContent"
    try await holds(tab, "\(mark) === 'set'")
    #expect(try await tab.text("String(\(count))") == "\(before - 2)")
  }

  @Test("Keep as B takes the values that are still on their way")
  func keepingInTime() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    let path = "rules.scan_reward.base"
    try await holds(tab, "!document.getElementById('keep').disabled")
    // Answers to moves take a while.
    _ = try await tab.text(
      """
      (() => {
        const asks = window.fetch;
        window.fetch = async (path, options) => {
          if (path === '/move') await new Promise((done) => setTimeout(done, 300));
          return asks(path, options);
        };
        const field = document.querySelector('\(field(path))');
        for (const value of ['0.6', '0.7']) {
          field.value = value;
          field.dispatchEvent(new Event('change'));
        }
        document.getElementById('keep').click();
        return '';
      })()
      """)
    try await holds(tab, "!document.getElementById('restore').hidden")
    try await tab.replace(field(path), with: "0.9")
    try await tab.press("Enter")
    let words = "document.getElementById('set').textContent"
    try await holds(tab, "\(words).includes('\(path) 0.9')")
    _ = try await tab.text("(() => { document.getElementById('restore').click(); return ''; })()")
    try await holds(tab, "\(words).includes('\(path) 0.7')")
  }

  @Test("A refused value does not come along to another scenario")
  func refusedBeforeOpening() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    let path = "rules.scan_reward.base"
    try await holds(tab, "!document.getElementById('keep').disabled")
    _ = try await tab.text("(() => { document.getElementById('keep').click(); return ''; })()")
    try await holds(tab, "!document.getElementById('restore').hidden")
    try await tab.replace(field(path), with: "much")
    try await tab.press("Enter")
    let error = "document.querySelector('.setting:has(\(field(path))) .error').textContent"
    try await holds(tab, "\(error) !== ''")
    _ = try await tab.text("(() => { document.getElementById('restore').click(); return ''; })()")
    try await holds(tab, "\(error) === ''")
    #expect(try await tab.text("document.querySelector('\(field(path))').value") != "much")
  }
}
