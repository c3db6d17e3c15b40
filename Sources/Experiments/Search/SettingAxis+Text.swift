extension SettingAxis {
  /// Its values from the first to the last, as people read them.
  package var rangeText: String {
    switch values {
    case .list(let words): words.joined(separator: ", ")
    case .range(let low, let high, _, _): "\(text(low)) to \(text(high))"
    }
  }
}
