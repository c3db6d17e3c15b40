internal import Quantities

/// A reader of what others wrote, to be fed with any bytes whatever.
///
/// It reads them or refuses them in words; anything else stops the process, which is what a fuzzer
/// looks for. The corpus in `Tests/FuzzTests/Corpus` is read by the same functions.
package struct FuzzTarget: Sendable {
  /// What became of some bytes.
  package enum Outcome: Sendable, Equatable {
    case read
    case refused
  }

  /// Names the target on the command line, and the folder of its corpus.
  package let name: String
  /// Whose bytes they are, in a few words.
  package let about: String
  /// Reads bytes.
  package let run: @Sendable (UnsafeRawBufferPointer) -> Outcome

  init(
    _ name: String, _ about: String,
    _ run: @escaping @Sendable (UnsafeRawBufferPointer) -> Outcome
  ) {
    self.name = name
    self.about = about
    self.run = run
  }

  /// Every target.
  package static let all: [FuzzTarget] = [
    scenario, override, condition, history, serviceMap, runFile, runCells, runSummary, baseline,
    requestBody, requestQuery, response, answer, address,
  ]

  /// The target with a name, or the canary; nil for any other text.
  package static func named(_ name: String) -> FuzzTarget? {
    (all + [canary]).first { $0.name == name }
  }

  /// Stops the process on one input: a fuzzer that does not find it finds nothing.
  private static let canary = FuzzTarget("canary", "an input that has to be found") { bytes in
    guard bytes.count > 3, bytes[0] == UInt8(ascii: "b"), bytes[1] == UInt8(ascii: "i"),
      bytes[2] == UInt8(ascii: "r"), bytes[3] == UInt8(ascii: "d")
    else { return .refused }
    invariant(false, "the canary was found")
    return .read
  }

  /// Reads bytes.
  package func callAsFunction(_ bytes: [UInt8]) -> Outcome { bytes.withUnsafeBytes(run) }
}

extension FuzzTarget.Outcome {
  /// A refusal, which says something.
  static func refusal(_ words: some CustomStringConvertible) -> Self {
    invariant(!words.description.isEmpty, "refused without a word")
    return .refused
  }
}
