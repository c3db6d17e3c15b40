/// Why the studio does not do what it was asked, in words for people.
package struct StudioRefusal: Error, Encodable, Sendable, Equatable {
  /// What is wrong and what would do, a line each.
  package var message: String
  /// The setting to blame; empty where it is none.
  package var path = ""
  /// Whether the same request would do with leave to replace what is there.
  package var mayReplace = false

  /// A refusal; see the properties.
  package init(_ message: String, path: String = "", mayReplace: Bool = false) {
    self.message = message
    self.path = path
    self.mayReplace = mayReplace
  }
}
