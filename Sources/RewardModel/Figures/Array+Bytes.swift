extension Array where Element: BitwiseCopyable {
  /// Elements that lie in bytes one after the other, at any alignment.
  ///
  /// - Parameter bytes: As many as whole elements need; what is left over at the end is not read.
  package init(copying bytes: UnsafeRawBufferPointer) {
    let count = bytes.count / MemoryLayout<Element>.stride
    // Made with room for none, it would write its zero into the one empty array that all threads share.
    if count == 0 {
      self = []
      return
    }
    self.init(unsafeUninitializedCapacity: count) { elements, filled in
      UnsafeMutableRawBufferPointer(elements).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[..<(count * MemoryLayout<Element>.stride)]))
      filled = count
    }
  }
}
