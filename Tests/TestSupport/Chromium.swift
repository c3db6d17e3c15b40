package import Foundation
import RewardModel
import Synchronization

/// A headless Chromium that a test steers through the debugging protocol, over pipes.
package final class Chromium: Sendable {
  /// A Chromium of this machine; nil where there is none.
  package static let program = Browser.find()?.program

  /// What went wrong with the browser.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  private struct Wire: @unchecked Sendable {
    // Used one at a time, under the lock.
    var process: Process
    var input: FileHandle
    var output: FileHandle
    var read = Data()
    var number = 0
  }

  private let folder: URL
  private let wire: Mutex<Wire>
  private let queue = DispatchQueue(label: "chromium")

  /// Starts the browser, which ends after five minutes at most.
  package init() throws {
    guard let program = Self.program else { throw Failure(description: "there is no Chromium") }
    folder = FileManager.default.temporaryDirectory.appending(
      path: "chromium-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (input, output) = (folder.appending(path: "in").path, folder.appending(path: "out").path)
    guard mkfifo(input, 0o600) == 0, mkfifo(output, 0o600) == 0 else {
      throw Failure(description: "no pipes in \(folder.path)")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [
      "-c", "exec timeout -k 1 300 \"$@\" 3<'\(input)' 4>'\(output)'", "bash", program,
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--no-first-run", "--disable-background-networking", "--remote-debugging-pipe",
      "--hide-scrollbars", "--user-data-dir=\(folder.path)/profile",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Each waits for the other end.
    guard let to = FileHandle(forWritingAtPath: input),
      let from = FileHandle(forReadingAtPath: output)
    else { throw Failure(description: "the browser's pipes cannot be opened") }
    wire = Mutex(Wire(process: process, input: to, output: from))
  }

  deinit {
    wire.withLock { wire in
      // It ends with its pipe, or is killed a second later.
      try? wire.input.close()
      wire.process.terminate()
      wire.process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: folder)
  }

  /// A tab that shows a page.
  package func open(_ address: String, width: Int, height: Int, dark: Bool) async throws -> Tab {
    let target = try await send("Target.createTarget", ["url": .text("about:blank")])["targetId"]
    let session = try await send(
      "Target.attachToTarget", ["targetId": .text(target ?? ""), "flatten": .flag(true)])
    let tab = Tab(browser: self, session: session["sessionId"] ?? "", target: target ?? "")
    try await tab.send("Page.enable")
    try await tab.send("Runtime.enable")
    try await tab.send(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .number(width), "height": .number(height), "deviceScaleFactor": .number(1),
        "mobile": .flag(width < 600),
      ])
    try await tab.send(
      "Emulation.setEmulatedMedia",
      ["features": .features([("prefers-color-scheme", dark ? "dark" : "light")])])
    // What goes wrong in the page is kept where it can be asked for.
    try await tab.send(
      "Page.addScriptToEvaluateOnNewDocument",
      [
        "source": .text(
          """
          window.problems = [];
          addEventListener('error', (e) => problems.push(String(e.message || 'load')), true);
          addEventListener('unhandledrejection', (e) => problems.push(String(e.reason)));
          addEventListener('securitypolicyviolation', (e) => problems.push(e.violatedDirective));
          """)
      ])
    try await tab.send("Page.navigate", ["url": .text(address)])
    return tab
  }

  /// A value of a command.
  package enum Value: Sendable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case texts([String])
    case features([(name: String, value: String)])

    fileprivate var json: Any {
      switch self {
      case .text(let text): text
      case .number(let number): number
      case .flag(let flag): flag
      case .texts(let texts): texts
      case .features(let features): features.map { ["name": $0.name, "value": $0.value] }
      }
    }
  }

  /// Sends a command and waits for what it gives: its texts, and those of `result`, by name.
  @discardableResult
  fileprivate func send(
    _ method: String, _ values: [String: Value] = [:], session: String? = nil
  ) async throws -> [String: String] {
    try await withCheckedThrowingContinuation { continuation in
      // Reading waits, which must not hold one of the few threads that tasks share.
      queue.async {
        continuation.resume(
          with: Result { try self.exchange(method, values, session: session) })
      }
    }
  }

  private func exchange(
    _ method: String, _ values: [String: Value], session: String?
  ) throws -> [String: String] {
    try wire.withLock { wire in
      wire.number += 1
      var command: [String: Any] = [
        "id": wire.number, "method": method, "params": values.mapValues(\.json),
      ]
      if let session { command["sessionId"] = session }
      try wire.input.write(contentsOf: JSONSerialization.data(withJSONObject: command) + [0])
      while true {
        while let end = wire.read.firstIndex(of: 0) {
          let message = wire.read[wire.read.startIndex..<end]
          wire.read.removeSubrange(wire.read.startIndex...end)
          let answer = try JSONSerialization.jsonObject(with: message) as? [String: Any]
          guard let answer, answer["id"] as? Int == wire.number else { continue }
          guard let result = answer["result"] as? [String: Any] else {
            throw Failure(description: "\(method): \(answer)")
          }
          let inner = result["result"] as? [String: Any] ?? [:]
          return result.merging(inner) { outer, _ in outer }.compactMapValues { $0 as? String }
        }
        let more = try wire.output.available(within: 60, of: "the browser, asked for \(method),")
        guard !more.isEmpty else { throw Failure(description: "the browser ended") }
        wire.read += more
      }
    }
  }

  /// A tab of the browser.
  package struct Tab: Sendable {
    fileprivate let browser: Chromium
    fileprivate let session: String
    fileprivate let target: String

    /// Closes the tab and its connections.
    package func close() async throws {
      try await browser.send("Target.closeTarget", ["targetId": .text(target)])
    }

    @discardableResult
    func send(
      _ method: String, _ values: [String: Value] = [:]
    ) async throws -> [String: String] {
      try await browser.send(method, values, session: session)
    }

    /// What an expression of JavaScript gives, as text.
    package func text(_ expression: String) async throws -> String {
      let answer = try await send(
        "Runtime.evaluate",
        ["expression": .text("String(\(expression))"), "returnByValue": .flag(true)])
      return answer["value"] ?? ""
    }

    /// Waits until an expression gives a text, for a minute at most, as other tests run meanwhile.
    ///
    /// - Returns: What it gave last.
    package func wait(for text: String, _ expression: String) async throws -> String {
      var last = ""
      for _ in 0..<1_200 {
        last = try await self.text(expression)
        if last == text { break }
        try await Task.sleep(for: .milliseconds(50))
      }
      return last
    }

    /// Writes a picture of the whole page.
    package func picture(_ file: URL) async throws {
      let answer = try await send(
        "Page.captureScreenshot",
        ["format": .text("png"), "captureBeyondViewport": .flag(true)])
      try Data(base64Encoded: answer["data"] ?? "")?.write(to: file)
    }
  }
}
