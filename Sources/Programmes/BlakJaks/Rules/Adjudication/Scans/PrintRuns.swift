/// The tins that have been printed, run by run: which exist, and one bit each that says 'claimed'.
///
/// A run has room for 2³⁶ serial numbers, more than anybody can print.
package struct PrintRuns: Sendable {
  /// Bits of a serial number within its run.
  package static let serialBits: UInt64 = 36

  /// Tins of a chunk of claims.
  package static let chunkTins: UInt64 = 4_096

  private let codes: CodeBook
  /// One desk a run that has printed, by run.
  private var desks: [UInt32: ScanDesk] = [:]
  /// Chunks with claims since they were taken last.
  private var changed: Set<ClaimChunk.Place> = []

  /// Nothing printed.
  package init(codes: CodeBook) { self.codes = codes }

  /// Runs that were saved.
  package init(codes: CodeBook, claims: [UInt32: ScanDesk.Claims]) {
    self.codes = codes
    for (run, saved) in claims {
      desks[run] = ScanDesk(
        codes: codes, first: UInt64(run) << PrintRuns.serialBits, claims: saved)
    }
  }

  /// What to save: no code and no key.
  package var claims: [UInt32: ScanDesk.Claims] { desks.mapValues(\.claims) }

  /// Tins that are claimed, of all runs.
  package var claimed: Int64 { desks.values.reduce(0) { $0 + $1.claimed } }

  /// How many tins a run has printed.
  package func printed(run: UInt32) -> UInt64 { desks[run]?.printed ?? 0 }

  /// Prints a run's tins up to a number; does nothing where as many are printed already.
  ///
  /// - Complexity: O(tins printed).
  package mutating func print(run: UInt32, through count: UInt64) {
    var desk =
      desks[run] ?? ScanDesk(codes: codes, first: UInt64(run) << PrintRuns.serialBits)
    let before = desk.printed
    while desk.printed < count { _ = desk.printTin() }
    desks[run] = desk
    // A last chunk that was begun has more words now.
    if desk.printed > before, before % PrintRuns.chunkTins > 0 {
      changed.insert(ClaimChunk.Place(run: run, number: UInt32(before / PrintRuns.chunkTins)))
    }
  }

  /// Adjudicates a submitted text and, when it is accepted, claims the tin.
  ///
  /// - Returns: The outcome, and the tin's serial number when it is accepted.
  package mutating func submit(
    _ text: String, eligible: Bool
  ) -> (outcome: ScanOutcome, serial: UInt64?) {
    guard let code = TinCode(text) else { return (.invalidCode, nil) }
    let serial = codes.serial(of: code)
    guard let run = UInt32(exactly: serial >> PrintRuns.serialBits) else {
      return (.unknownCode, nil)
    }
    guard let outcome = desks[run]?.submit(code, eligible: eligible) else {
      return (.unknownCode, nil)
    }
    if outcome == .accepted {
      let index = serial & (1 << PrintRuns.serialBits - 1)
      changed.insert(ClaimChunk.Place(run: run, number: UInt32(index / PrintRuns.chunkTins)))
    }
    return (outcome, outcome == .accepted ? serial : nil)
  }
}

/// Claims of 4,096 tins that follow one another in a run.
package struct ClaimChunk: Sendable, Equatable {
  /// Which tins.
  package struct Place: Hashable, Comparable, Sendable {
    package var run: UInt32
    /// In chunks, from 0 on.
    package var number: UInt32

    /// Run by run, and within a run in the order of the tins.
    package static func < (a: Place, b: Place) -> Bool { (a.run, a.number) < (b.run, b.number) }
  }

  package var place: Place
  /// 64 tins a word, the first lowest; 64 words but in a run's last chunk.
  package var words: [UInt64]

  /// A chunk; see the properties.
  package init(place: Place, words: [UInt64]) {
    self.place = place
    self.words = words
  }
}

extension PrintRuns {
  private static let chunkWords = Int(chunkTins / 64)

  /// How many tins each run has printed, with none claimed.
  var unclaimed: [UInt32: ScanDesk.Claims] {
    desks.mapValues { ScanDesk.Claims(printed: $0.printed, bits: []) }
  }

  /// Takes the chunks with claims since they were taken last, in order; those without a claim are
  /// left out.
  ///
  /// - Parameter all: Takes them whether they changed or not.
  mutating func takeClaims(all: Bool) -> [ClaimChunk] {
    if all {
      for (run, desk) in desks {
        for number in 0..<(desk.bits.count + Self.chunkWords - 1) / Self.chunkWords {
          changed.insert(ClaimChunk.Place(run: run, number: UInt32(number)))
        }
      }
    }
    defer { changed.removeAll() }
    return changed.sorted().compactMap { place in
      let words = desks[place.run]?.bits.dropFirst(Int(place.number) * Self.chunkWords)
        .prefix(Self.chunkWords)
      guard let words, words.contains(where: { $0 != 0 }) else { return nil }
      return ClaimChunk(place: place, words: Array(words))
    }
  }

  /// Puts claims back that were taken; those of tins that are not printed are left out.
  mutating func restore(_ chunks: [ClaimChunk]) {
    for chunk in chunks { desks[chunk.place.run]?.restore(chunk.words, at: chunk.place.number) }
  }
}

extension ScanDesk {
  /// Puts claims back.
  fileprivate mutating func restore(_ words: [UInt64], at chunk: UInt32) {
    let first = Int(chunk) * Int(PrintRuns.chunkTins / 64)
    for (offset, word) in words.enumerated() where first + offset < bits.count {
      claimedCount += Int64(word.nonzeroBitCount - bits[first + offset].nonzeroBitCount)
      bits[first + offset] = word
    }
  }
}
