internal import EventKernel
internal import Population
package import Quantities

/// Somebody who submits a code that another member has scanned and passed on.
package struct SharedSubmission: Sendable, Equatable, BitwiseCopyable {
  /// A member who signed up before the one whose tin it was.
  package var member: UInt32
  /// From the scan to the submission, at least a microsecond.
  package var delay: TimeSpan
}

extension BehaviourModel {
  /// Whether any member passes codes on.
  package var sharesTins: Bool { settings.mischief.shared > 0 }

  /// Who else submits the code of a tin that a member has scanned: mostly nobody.
  ///
  /// The member whose tin it is scans it first and claims it; the others come an exponential time
  /// later and find it claimed, whoever they are. Nobody knows members who sign up later, so the
  /// first member passes nothing on.
  ///
  /// - Parameters:
  ///   - member: Whose tin it was.
  ///   - index: Tins that the member opened before it, refused ones too.
  /// - Complexity: O(submissions).
  package func sharing(member: UInt32, index: UInt32) -> [SharedSubmission] {
    let mischief = settings.mischief
    guard sharesTins, member > 0 else { return [] }
    // Each tin has a stream of its own: a Poisson draw may take any number of blocks.
    var stream = RandomStream(
      seed: seed, purpose: RandomPurpose.sharedTin.rawValue,
      entity: UInt64(index) << 32 | UInt64(member))
    guard stream.uniform() < mischief.shared else { return [] }
    let others = 1 + Int(stream.poisson(mean: mischief.sharedWith - 1))
    return (0..<others).map { _ in
      let other = UInt32(stream.uniformIndex(below: UInt64(member)))
      let delay = stream.exponential(mean: Double(mischief.sharedAfter.microseconds))
      return SharedSubmission(
        member: other, delay: TimeSpan(microseconds: max(1, Int64(delay))))
    }
  }
}
