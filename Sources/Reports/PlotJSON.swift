internal import Foundation

/// Plots as JSON that is safe inside a script element, byte for byte as `HTMLText.json` writes them.
///
/// A run's plots hold a hundred thousand numbers. Coding each by way of `Encodable` takes several
/// times as long as writing it.
package struct PlotJSON {
  private var bytes: [UInt8] = []

  /// The text of plots, whose numbers are finite.
  package static func text(_ plots: [PlotSpec]) -> String {
    var json = PlotJSON()
    json.add(
      .list(
        plots.map { plot in
          .object(["data": .list(plot.data), "id": .text(plot.id), "layout": plot.layout])
        }))
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private mutating func add(_ value: PlotValue) {
    switch value {
    case .null: bytes += "null".utf8
    case .flag(let flag): bytes += (flag ? "true" : "false").utf8
    case .number(let number): add(number)
    case .text(let text): add(text)
    case .list(let values):
      bytes.append(UInt8(ascii: "["))
      for (place, value) in values.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        add(value)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (place, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        add(member.key)
        bytes.append(UInt8(ascii: ":"))
        add(member.value)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private mutating func add(_ number: Double) {
    // Whole numbers go without the point and the zero of their description.
    if let whole = Int64(exactly: number), whole.magnitude < 1_000_000_000_000_000,
      number.sign == .plus || whole != 0
    {
      bytes += String(whole).utf8
    } else if number.magnitude > 0.001, number.magnitude < 1_000_000_000_000 {
      // Without an exponent the shortest digits that give the number again are JSON as well.
      bytes += number.description.utf8
    } else {
      bytes += HTMLText.json(number).utf8
    }
  }

  private mutating func add(_ text: String) {
    // What may need an escape is left to the library.
    guard text.utf8.allSatisfy(Self.isPlain) else {
      bytes += HTMLText.json(text).utf8
      return
    }
    bytes.append(UInt8(ascii: "\""))
    bytes += text.utf8
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "&"):
      false
    default: (0x20..<0x7F).contains(byte)
    }
  }
}
