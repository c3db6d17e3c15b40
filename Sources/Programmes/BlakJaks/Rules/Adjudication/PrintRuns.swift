/// The tins that have been printed, run by run: which exist, and one bit each that says 'claimed'.
///
/// A run has room for 2³⁶ serial numbers, more than anybody can print.
package struct PrintRuns: Sendable {
  /// Bits of a serial number within its run.
  package static let serialBits: UInt64 = 36

  private let codes: CodeBook
  /// One desk a run that has printed, by run.
  private var desks: [UInt32: ScanDesk] = [:]

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
    while desk.printed < count { _ = desk.printTin() }
    desks[run] = desk
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
    return (outcome, outcome == .accepted ? serial : nil)
  }
}
