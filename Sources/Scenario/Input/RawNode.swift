package import RewardModel

/// Where a piece of a scenario was written.
package enum Origin: Sendable, Equatable {
  /// Nowhere: it is a default.
  case standard
  /// In the file, from 1.
  case file(line: Int, column: Int)
  /// By an override; `rank` counts them from 1.
  case override(label: String, rank: Int)
}

/// A piece of a scenario before any meaning is given to it.
package struct RawNode: Sendable {
  /// What it is made of.
  package enum Content: Sendable {
    /// Text as it was written.
    case scalar(String, style: ScalarStyle)
    case list([RawNode])
    case mapping([RawPair])
    /// Something that has been refused already; nothing more is said about it.
    case refused
  }

  package var content: Content
  package var origin: Origin

  /// For people: what this node is.
  package var kindName: String {
    switch content {
    case .scalar(let text, let style):
      style == .quoted
        ? "'\(text.shortened)' in quotes" : text.isNullWord ? "nothing" : "'\(text.shortened)'"
    case .list: "a list"
    case .mapping: "a group of keys"
    case .refused: "something else"
    }
  }
}

/// A key and its value.
package struct RawPair: Sendable {
  package var key: String
  package var keyOrigin: Origin
  package var value: RawNode
}

extension RawNode {
  /// A value as the raw node that reads back to it; its origin is a default's.
  init(standard value: SettingValue, shape: SettingShape) {
    origin = .standard
    switch (value, shape) {
    case (_, .optional(let inner)) where value != .none:
      self = RawNode(standard: value, shape: inner)
    case (.list(let values), .list(let element, _)):
      content = .list(values.map { RawNode(standard: $0, shape: element) })
    case (.list(let rows), .records(let fields, _)):
      content = .list(
        rows.map { row in
          guard case .record(let values) = row else {
            return RawNode(content: .refused, origin: .standard)
          }
          let pairs = zip(fields, values).map { field, value in
            RawPair(
              key: field.path, keyOrigin: .standard,
              value: RawNode(standard: value, shape: field.shape))
          }
          return RawNode(content: .mapping(pairs), origin: .standard)
        })
    case (.text(let text), _): content = .scalar(text, style: .quoted)
    default: content = .scalar(value.text, style: .plain)
    }
  }
}
