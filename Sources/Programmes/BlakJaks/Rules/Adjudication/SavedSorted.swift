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
