/// A value that belongs to the moment: it is not saved, and says nothing about whether two states
/// are equal.
@propertyWrapper
package struct Unsaved<Value: Sendable & ExpressibleByNothing>: Sendable, Equatable, Codable {
  package var wrappedValue: Value

  /// A value of the moment.
  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Nothing, whatever was saved.
  package init(from decoder: any Decoder) { wrappedValue = Value.nothing }

  /// Saves nothing.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }

  /// All are equal.
  package static func == (a: Unsaved, b: Unsaved) -> Bool { true }
}

/// A type with a value that stands for nothing.
package protocol ExpressibleByNothing {
  static var nothing: Self { get }
}

extension Array: ExpressibleByNothing {
  package static var nothing: [Element] { [] }
}

extension Bool: ExpressibleByNothing {
  package static var nothing: Bool { false }
}
