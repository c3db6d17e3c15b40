internal import CKernel

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
  /// Prints a tin for each place and writes its code there: `printTin()` of many at once.
  package mutating func printTins(_ codes: UnsafeMutableBufferPointer<UInt64>) {
    for place in codes.indices { codes[place] = first + printedCount + UInt64(place) }
    printedCount += UInt64(codes.count)
    let missing = Int((printedCount + 63) / 64) - bits.count
    for _ in 0..<max(missing, 0) { bits.append(0) }
    self.codes.encode(codes)
  }

  /// Adjudicates the codes of many submissions by members who may scan, in their order, and claims
  /// the tins of those that are accepted: `submit(_:eligible:)` of many at once.
  ///
  /// - Parameters:
  ///   - serials: As many places, which hold the codes' serial numbers afterwards.
  ///   - outcome: Told what became of each, by its place.
  package mutating func submit(
    _ codes: UnsafeBufferPointer<UInt64>, serials: UnsafeMutableBufferPointer<UInt64>,
    _ outcome: (Int, ScanOutcome) -> Void
  ) {
    _ = serials.update(from: codes)
    self.codes.decode(serials)
    for place in serials.indices {
      outcome(place, submit(serial: serials[place], eligible: true))
    }
  }
}
