// Goal: the memory of a service does not stay at its greatest extent.
// Method: blocks after a larger one was freed, which else would raise what counts as large; the GNU
// library's own count of blocks that are the system's.
#if canImport(Glibc)
  import CMalloc
  import Testing

  @testable import Service

  @Suite(
    .serialized,
    .disabled(
      if: getenv("ASAN_OPTIONS") != nil || getenv("TSAN_OPTIONS") != nil,
      "a sanitizer brings a malloc of its own"))
  struct FreedMemoryTests {
    private static let mebibyte = 1_048_576

    /// Bytes of blocks that go back to the system when they are freed.
    private var ownBlocks: Int { Int(mallinfo2().hblkhd) }

    @Test func largeBlocksGoBackWhateverWasFreedBefore() {
      FreedMemory.goesBack()
      free(malloc(30 * Self.mebibyte))
      let before = ownBlocks
      // Nobody writes to them, so that they take no memory.
      let blocks = (0..<512).map { _ in malloc(Self.mebibyte) }
      let held = ownBlocks
      for block in blocks { free(block) }
      let after = ownBlocks
      // Other tests of this process take and free some meanwhile.
      #expect(held - before > 400 * Self.mebibyte, "\(held - before) bytes")
      #expect(held - after > 400 * Self.mebibyte, "\(held - after) bytes")
    }
  }
#endif
