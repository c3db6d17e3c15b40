package import Foundation

/// What people do to a page: real events of mouse and keys, as the browser gets them.
extension Chromium.Tab {
  /// Clicks the middle of the first element that a selector finds; it is brought into view.
  package func click(_ selector: String) async throws {
    // A page that is still being drawn moves its parts: the place counts once it stays.
    var place: [Int] = []
    for _ in 0..<100 {
      let next = try await self.place(of: selector)
      if !next.isEmpty && next == place { break }
      place = next
      try await Task.sleep(for: .milliseconds(50))
    }
    guard place.count == 2 else { throw Chromium.Failure(description: "no \(selector)") }
    for type in ["mousePressed", "mouseReleased"] {
      try await send(
        "Input.dispatchMouseEvent",
        [
          "type": .text(type), "x": .number(place[0]), "y": .number(place[1]),
          "button": .text("left"), "clickCount": .number(1),
        ])
    }
  }

  /// The middle of the first element that a selector finds, brought into view, where a click would
  /// reach it; else empty.
  private func place(of selector: String) async throws -> [Int] {
    try await text(
      """
      (() => {
        const part = document.querySelector(\(Self.quoted(selector)));
        if (!part) return '';
        part.scrollIntoView({ block: 'center' });
        const box = part.getBoundingClientRect();
        const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
        const top = document.elementFromPoint(x, y);
        return part === top || part.contains(top) ? x + ' ' + y : '';
      })()
      """
    ).split(separator: " ").compactMap { Int($0) }
  }

  /// Gives the focus to the first element that a selector finds.
  package func focus(_ selector: String) async throws {
    _ = try await text("document.querySelector(\(Self.quoted(selector))).focus()")
  }

  /// Presses a key by its name: Enter, Tab, ArrowRight, ArrowLeft.
  package func press(_ key: String) async throws {
    let codes = ["Enter": 13, "Tab": 9, "ArrowRight": 39, "ArrowLeft": 37]
    var values: [String: Chromium.Value] = [
      "key": .text(key), "code": .text(key), "windowsVirtualKeyCode": .number(codes[key] ?? 0),
    ]
    if key == "Enter" { values["text"] = .text("\r") }
    for type in ["keyDown", "keyUp"] {
      values["type"] = .text(type)
      try await send("Input.dispatchKeyEvent", values)
    }
  }

  /// Types text where the focus is.
  package func type(_ text: String) async throws {
    try await send("Input.insertText", ["text": .text(text)])
  }

  /// Types text over what is in a field.
  package func replace(_ selector: String, with text: String) async throws {
    try await click(selector)
    _ = try await self.text("document.querySelector(\(Self.quoted(selector))).select()")
    try await type(text)
  }

  /// Chooses a file in a field for files.
  package func choose(_ file: URL, in selector: String) async throws {
    let element = try await send(
      "Runtime.evaluate",
      ["expression": .text("document.querySelector(\(Self.quoted(selector)))")])
    try await send(
      "DOM.setFileInputFiles",
      ["files": .texts([file.path]), "objectId": .text(element["objectId"] ?? "")])
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
