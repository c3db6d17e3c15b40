internal import CKernel
internal import Quantities

// The same desk and the same codes for many tins at once, so that the processor works on several at a
// time.

extension CodeBook {
  /// Puts codes in the place of serial numbers: `code(ofSerial:)` of many at once.
  package func encode(_ serials: UnsafeMutableBufferPointer<UInt64>) {
    guard let first = serials.baseAddress else { return }
    withUnsafeBytes(of: keys) { keys in
      ck_feistel60(first, serials.count, keys.assumingMemoryBound(to: UInt64.self).baseAddress)
    }
  }

  /// Puts serial numbers in the place of codes: `serial(of:)` of many at once.
  package func decode(_ codes: UnsafeMutableBufferPointer<UInt64>) {
    guard let first = codes.baseAddress else { return }
    withUnsafeBytes(of: keys) { keys in
      ck_feistel60_back(first, codes.count, keys.assumingMemoryBound(to: UInt64.self).baseAddress)
    }
  }
}

extension ScanDesk {
  /// Prints many tins, of members who may scan and who submit the codes at once: `printTin()` and
  /// `submit(_:eligible:)` of each, in their order.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - codes: Receives the codes. Has room for them or for more, which are then worked out and belong
  ///     to nobody: whole vectors are done sooner.
  ///   - serials: As many places, which hold the codes' serial numbers afterwards.
  package mutating func scanFresh(
    _ count: Int, codes: UnsafeMutableBufferPointer<UInt64>,
    serials: UnsafeMutableBufferPointer<UInt64>
  ) {
    for place in codes.indices { codes[place] = first &+ printedCount &+ UInt64(place) }
    printedCount += UInt64(count)
    let missing = Int((printedCount + 63) / 64) - bits.count
    if missing > 0 { bits.append(contentsOf: repeatElement(0, count: missing)) }
    self.codes.encode(codes)
    _ = serials.update(from: codes)
    self.codes.decode(serials)
    let (first, printed) = (first, printed)
    var isFresh = true
    bits.withUnsafeMutableBufferPointer { words in
      for serial in serials.prefix(count) {
        let index = serial &- first
        invariant(index < printed, "a fresh tin of a member was not printed")
        let bit: UInt64 = 1 &<< (index & 63)
        isFresh = isFresh && words[Int(index >> 6)] & bit == 0
        words[Int(index >> 6)] |= bit
      }
    }
    invariant(isFresh, "a fresh tin of a member was claimed before")
    claimedCount += Int64(count)
  }
}
