/// A form that a text has to have, beyond its length.
package struct TextForm: Sendable {
  /// What is accepted, in words that complete 'write …'.
  package let wanted: String
  /// A regular expression that every text of the form matches, for JSON Schema.
  package let pattern: String
  /// Throws what is wrong with a text that does not have the form.
  package let check: @Sendable (String) throws(Refusal) -> Void

  /// A form.
  package init(
    wanted: String, pattern: String, check: @escaping @Sendable (String) throws(Refusal) -> Void
  ) {
    self.wanted = wanted
    self.pattern = pattern
    self.check = check
  }
}
