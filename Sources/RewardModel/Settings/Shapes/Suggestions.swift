/// The candidate that a mistyped word most likely meant, or nil when none is near.
///
/// Near is an edit distance of at most a third of the word's length and at least one; ties go to
/// the first candidate. Case, hyphens and spaces do not count.
package func nearest(to word: String, among candidates: [String]) -> String? {
  guard word.count <= 64 else { return nil }
  func plain(_ text: String) -> [Character] {
    Array(text.lowercased().map { $0 == "-" || $0 == " " ? "_" : $0 })
  }
  let typed = plain(word)
  var best: (distance: Int, text: String)?
  for candidate in candidates {
    let target = plain(candidate)
    let distance = editDistance(typed, target)
    let allowed = max(1, max(typed.count, target.count) / 3)
    if distance <= allowed && distance < (best?.distance ?? .max) { best = (distance, candidate) }
  }
  return best?.text
}

/// Insertions, deletions, substitutions and swaps of neighbors that turn `a` into `b`.
///
/// Optimal string alignment, O(a·b). Source: Damerau 1964, doi:10.1145/363958.363994.
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in 0..<a.count {
    var row = [i + 1]
    for j in 0..<b.count {
      var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        cost = min(cost, beforeLast[j - 1] + 1)
      }
      row.append(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}
