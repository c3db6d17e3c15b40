package import Testing

extension Tag {
  /// Suites that take more than a second each in a debug build on a quiet machine: whole runs,
  /// statistics over many replications, processes and browsers. The others are fast;
  /// `Scripts/test --fast` runs those alone.
  @Tag package static var slow: Tag

  /// Suites that measure time, or set limits to it, with real services and clients. Beside hundreds
  /// of other tests they would measure those; `Scripts/test` runs them after the others, one test
  /// at a time.
  @Tag package static var alone: Tag
}
