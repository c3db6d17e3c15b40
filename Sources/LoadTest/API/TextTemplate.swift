/// Text with values to be put in: `{name}`, where a name is of small letters and underscores.
package struct TextTemplate: Sendable, Equatable {
  /// How a value is written, so that it stays one value.
  package enum Context: Sendable {
    /// In a path or query: all but unreserved characters percent-encoded (RFC 3986, section 2.3).
    case path
    /// In a header: without control characters.
    case header
    /// In a JSON text: escaped as within quotes.
    case json
  }

  private enum Part: Sendable, Equatable {
    case plain([UInt8])
    case value(Int)
  }

  /// A name that nobody knows.
  package struct UnknownName: Error, Equatable {
    package var name: String
  }

  private var parts: [Part] = []
  private let context: Context
  /// Names of the values in it that never change.
  package private(set) var fixedNames: Set<String> = []

  /// - Parameters:
  ///   - names: Of the values, in the order in which they will come.
  ///   - fixed: Values that never change, by name.
  /// - Throws: `UnknownName`.
  package init(
    _ text: String, _ context: Context, names: [String], fixed: [String: String] = [:]
  ) throws(UnknownName) {
    self.context = context
    var plain: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: "{"), let close = rest.firstIndex(of: UInt8(ascii: "}")),
        let name = Self.name(rest[(rest.startIndex + 1)..<close])
      {
        rest = rest[(close + 1)...]
        if let place = names.firstIndex(of: name) {
          if !plain.isEmpty { parts.append(.plain(plain)) }
          plain = []
          parts.append(.value(place))
        } else if let value = fixed[name] {
          Self.write(value, context, &plain)
          fixedNames.insert(name)
        } else {
          throw UnknownName(name: name)
        }
        continue
      }
      plain.append(byte)
      rest.removeFirst()
    }
    if !plain.isEmpty { parts.append(.plain(plain)) }
  }

  private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
    guard !bytes.isEmpty, bytes.allSatisfy({ (97...122).contains($0) || $0 == 95 }) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text with its values.
  package func write(_ values: [String], to bytes: inout [UInt8]) {
    for part in parts {
      switch part {
      case .plain(let plain): bytes.append(contentsOf: plain)
      case .value(let place): Self.write(values[place], context, &bytes)
      }
    }
  }

  private static func write(_ value: String, _ context: Context, _ bytes: inout [UInt8]) {
    let digits: StaticString = "0123456789ABCDEF"
    for byte in value.utf8 {
      switch context {
      case .path:
        switch byte {
        case 48...57, 65...90, 97...122, 45, 46, 95, 126: bytes.append(byte)
        default:
          bytes.append(UInt8(ascii: "%"))
          bytes.append(digits.utf8Start[Int(byte >> 4)])
          bytes.append(digits.utf8Start[Int(byte & 15)])
        }
      case .header: if byte >= 0x20, byte != 0x7F { bytes.append(byte) }
      case .json:
        switch byte {
        case 0x22, 0x5C:
          bytes.append(0x5C)
          bytes.append(byte)
        case ..<0x20:
          bytes.append(contentsOf: "\\u00".utf8)
          bytes.append(digits.utf8Start[Int(byte >> 4)])
          bytes.append(digits.utf8Start[Int(byte & 15)])
        default: bytes.append(byte)
        }
      }
    }
  }
}
