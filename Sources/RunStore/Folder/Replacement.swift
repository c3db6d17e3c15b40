internal import Foundation

/// Says whether what is at a folder's place may be replaced by a new folder of its sort: an
/// empty folder, or one of that sort with nothing of anybody else's in it.
package struct Replacement: Sendable {
  /// What a folder of the sort may hold, and how a file is refused that it may not.
  package struct Claim {
    var own: Set<String>
    var refusal: (_ name: String) -> String

    /// - Parameters:
    ///   - own: Names of files that may be replaced.
    ///   - refusal: Says what is wrong with a file of that name.
    package init(own: Set<String>, refusal: @escaping (_ name: String) -> String) {
      self.own = own
      self.refusal = refusal
    }
  }

  /// The sort of folder, for messages: `run folder`.
  var sort: String
  /// What helps most when the place is refused.
  var advice: String
  /// The advice for a link.
  private var linkAdvice: String {
    "give the folder that it points to, or choose another place with --out"
  }
  /// How a name that is not a regular file's is refused; nil when anything may have an own name.
  var irregular: (@Sendable (_ name: String) -> String)?
  /// What a folder of that sort with these names may hold; nil when it is none.
  var claim: @Sendable (_ path: String, _ names: [String]) -> Claim?

  /// A rule for one sort of folder; see the properties.
  package init(
    sort: String, advice: String,
    irregular: (@Sendable (_ name: String) -> String)? = nil,
    claim: @escaping @Sendable (_ path: String, _ names: [String]) -> Claim?
  ) {
    self.sort = sort
    self.advice = advice
    self.irregular = irregular
    self.claim = claim
  }

  /// Whether something is at the path; it may be replaced.
  ///
  /// - Throws: `RunStoreError` when what is there may not.
  package func isNeeded(at path: String) throws(RunStoreError) -> Bool {
    // A slash at the end would follow a link.
    var place = path
    while place.count > 1, place.hasSuffix("/") { place.removeLast() }
    func occupied(_ problem: String, _ advice: String? = nil) -> RunStoreError {
      RunStoreError(
        kind: .occupied, path: path, problem: problem, advice: advice ?? self.advice)
    }
    guard let type = Self.type(of: place) else { return false }
    if type == S_IFLNK {
      // One rename would put a folder in the link's place, and leave the other as it was.
      throw occupied("is a link", linkAdvice)
    }
    guard type == S_IFDIR else { throw occupied("already exists and is not a folder") }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else {
      throw occupied("already exists and cannot be listed")
    }
    if names.isEmpty { return true }
    guard let claim = claim(place, names) else {
      throw occupied("already exists and is not \(sort)")
    }
    for name in names.sorted() {
      guard claim.own.contains(name) else { throw occupied(claim.refusal(name)) }
      if let irregular, Self.type(of: "\(place)/\(name)") != S_IFREG {
        throw occupied(irregular(name))
      }
    }
    return true
  }

  /// Where results that were interrupted go, next to the place of complete ones: the first of
  /// `PATH-interrupted`, `PATH-interrupted-2` and so on whose folder may be made or replaced.
  ///
  /// - Parameter isKept: Whether a folder is left alone that could be replaced.
  package func interruptedPath(
    _ path: String, unless isKept: (String) -> Bool = { _ in false }
  ) -> String {
    var base = path
    while base.count > 1, base.hasSuffix("/") { base.removeLast() }
    base += "-interrupted"
    var place = base
    var number = 1
    while (try? isNeeded(at: place)) == nil || isKept(place) {
      number += 1
      place = "\(base)-\(number)"
    }
    return place
  }

  /// What is at a path, `S_IFREG` for a file; a link is not followed. Nil for nothing.
  private static func type(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
