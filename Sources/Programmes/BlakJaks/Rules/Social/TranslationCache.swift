internal import Quantities

/// A bounded cache of translations: the same message and language again is a hit.
///
/// The least recently used entry gives way. The cache keeps no text; it names a slot, 0 up to
/// `capacity` − 1, in which the owner keeps the translation. A slot is used again when its entry
/// gave way.
package struct TranslationCache: Sendable, Codable {
  /// What a request found.
  package struct Lookup: Equatable, Sendable {
    /// Whether the translation was there; otherwise it has to be made and put into `slot`.
    package let isHit: Bool
    /// Where the owner keeps this translation from now on.
    package let slot: Int
  }

  private struct Key: Hashable, Codable {
    let message: Int64
    let language: Language
  }

  private struct Entry: Codable {
    var key: Key
    var newer: Int
    var older: Int
  }

  private static let nobody = -1

  /// The most entries held.
  package let capacity: Int
  /// Requests that were hits.
  package private(set) var hits: Int64 = 0
  /// Requests that were misses.
  package private(set) var misses: Int64 = 0
  private var slots: [Key: Int] = [:]
  private var entries: [Entry] = []
  private var newest = TranslationCache.nobody
  private var oldest = TranslationCache.nobody

  /// An empty cache.
  ///
  /// - Parameter capacity: 1 or more.
  package init(capacity: Int) {
    invariant(capacity >= 1, "a translation cache holds at least one entry")
    self.capacity = capacity
  }

  /// Entries held now.
  package var count: Int { entries.count }

  /// Hits among all requests in basis points, rounded down; nil before the first request.
  package var hitShare: Int64? {
    let requests = hits + misses
    guard requests > 0 else { return nil }
    return Int64(Int128(hits) * 10_000 / Int128(requests))
  }

  /// Asks for one message in one language and marks that entry as the latest used.
  ///
  /// - Complexity: O(1) on average.
  package mutating func request(message: Int64, language: Language) -> Lookup {
    let key = Key(message: message, language: language)
    if let slot = slots[key] {
      hits += 1
      if slot != newest {
        unlink(slot)
        link(slot)
      }
      return Lookup(isHit: true, slot: slot)
    }
    misses += 1
    var slot = entries.count
    if slot < capacity {
      entries.append(Entry(key: key, newer: Self.nobody, older: Self.nobody))
    } else {
      slot = oldest
      slots[entries[slot].key] = nil
      unlink(slot)
      entries[slot].key = key
    }
    slots[key] = slot
    link(slot)
    invariant(slots.count == entries.count, "each entry of the cache has one key")
    return Lookup(isHit: false, slot: slot)
  }

  private mutating func unlink(_ slot: Int) {
    let entry = entries[slot]
    if entry.newer == Self.nobody {
      newest = entry.older
    } else {
      entries[entry.newer].older = entry.older
    }
    if entry.older == Self.nobody {
      oldest = entry.newer
    } else {
      entries[entry.older].newer = entry.newer
    }
  }

  private mutating func link(_ slot: Int) {
    entries[slot].newer = Self.nobody
    entries[slot].older = newest
    if newest == Self.nobody { oldest = slot } else { entries[newest].newer = slot }
    newest = slot
  }
}
