internal import RewardModel

extension Scenario {
  /// What is done to a list of entries, each by its place from 0.
  package enum ListChange: Sendable, Equatable {
    /// Puts an entry like the one at a place behind it. Its name, where entries have one, gets a
    /// number, as names are unique.
    case copy(Int)
    case remove(Int)
  }

  /// A list of entries after a change, as an override writes it.
  ///
  /// - Returns: Nil where the path is not a list of entries, or has none at that place.
  package func list(_ path: String, _ change: ListChange) -> String? {
    guard let row = catalog.rows.firstIndex(where: { $0.path == path }),
      case .records(let fields, _) = catalog.rows[row].shape,
      case .list(var entries) = values[row]
    else { return nil }
    switch change {
    case .copy(let place):
      guard entries.indices.contains(place), case .record(var parts) = entries[place] else {
        return nil
      }
      if let name = fields.firstIndex(where: { $0.path == "name" }) {
        let taken = entries.compactMap { entry -> String? in
          if case .record(let parts) = entry { parts[name].text } else { nil }
        }
        let own = parts[name].text
        let free = (2...(entries.count + 2)).lazy.map { "\(own) \($0)" }
          .first { !taken.contains($0) }
        parts[name] = .text(free ?? own)
      }
      entries.insert(.record(parts), at: place + 1)
    case .remove(let place):
      guard entries.indices.contains(place) else { return nil }
      entries.remove(at: place)
    }
    return Self.flow(.list(entries), catalog.rows[row].shape)
  }
}
