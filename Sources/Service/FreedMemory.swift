internal import CMalloc

/// What becomes of memory that was freed.
package enum FreedMemory {
  /// Bytes from which on a block is the system's own, and goes back to it alone.
  static let ownBlock: Int32 = 131_072
  /// Free bytes at the end of an arena that are kept.
  static let kept: Int32 = 1_048_576
  /// Arenas that all threads share.
  static let arenas: Int32 = 2

  /// From here on what is freed goes back to the system, in this process.
  ///
  /// The GNU library raises both sizes with what was freed, up to 32 and 64 MiB: after one large
  /// block each arena, of which there are eight a core, keeps its greatest extent. A service has
  /// such blocks whenever payouts are batched and whenever its state is kept. Two arenas cost no CPU
  /// that could be measured on two cores. Elsewhere nothing is changed.
  package static func goesBack() {
    #if canImport(Glibc)
      _ = mallopt(M_MMAP_THRESHOLD, ownBlock)
      _ = mallopt(M_TRIM_THRESHOLD, kept)
      _ = mallopt(M_ARENA_MAX, arenas)
    #endif
  }
}
