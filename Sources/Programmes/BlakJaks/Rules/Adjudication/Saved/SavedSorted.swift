internal import RewardModel

/// A dictionary that is saved in the order of its keys, so that equal states are saved equally.
@propertyWrapper
struct SavedSorted<Key: Hashable & Comparable & Codable & Sendable, Value: Codable & Sendable>:
  Codable, Sendable
{
  var wrappedValue: [Key: Value]

  private struct Entry: Codable {
    var key: Key
    var value: Value
  }

  init(wrappedValue: [Key: Value]) { self.wrappedValue = wrappedValue }

  init(from decoder: any Decoder) throws {
    let entries = try [Entry](from: decoder)
    wrappedValue = Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first }
  }

  func encode(to encoder: any Encoder) throws {
    try wrappedValue.sorted { $0.key < $1.key }.map { Entry(key: $0.key, value: $0.value) }
      .encode(to: encoder)
  }
}

extension SavedSorted: Equatable where Value: Equatable {}

/// A dictionary of small rows that is saved as bytes, in the order of its keys.
@propertyWrapper
struct PackedSorted<Key: Hashable & Comparable & PackedRow & Sendable, Value: PackedRow & Sendable>:
  Codable, Sendable
{
  var wrappedValue: [Key: Value]

  private struct Entry: PackedRow, Sendable {
    var key: Key
    var value: Value

    init(key: Key, value: Value) {
      self.key = key
      self.value = value
    }

    init(packed reader: inout PackedReader) throws {
      key = try Key(packed: &reader)
      value = try Value(packed: &reader)
    }

    func pack(_ writer: inout PackedWriter) {
      key.pack(&writer)
      value.pack(&writer)
    }
  }

  init(wrappedValue: [Key: Value]) { self.wrappedValue = wrappedValue }

  init(from decoder: any Decoder) throws {
    let entries = try Packed<Entry>(from: decoder).wrappedValue
    wrappedValue = Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first }
  }

  func encode(to encoder: any Encoder) throws {
    let entries = wrappedValue.sorted { $0.key < $1.key }.map {
      Entry(key: $0.key, value: $0.value)
    }
    try Packed(wrappedValue: entries).encode(to: encoder)
  }
}

extension PackedSorted: Equatable where Value: Equatable {}
