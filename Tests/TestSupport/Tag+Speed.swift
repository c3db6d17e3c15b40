package import Testing

extension Tag {
  /// Suites that take more than a second each in a debug build on a quiet machine: whole runs,
  /// statistics over many replications, processes and browsers. The others are fast;
  /// `Scripts/test --fast` runs those alone.
  @Tag package static var slow: Tag
}
