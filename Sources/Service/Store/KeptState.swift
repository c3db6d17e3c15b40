internal import Crypto
package import Quantities
internal import RewardModel

/// A state that a store keeps, so that a start need not commit the whole journal again.
package struct KeptState: Sendable, Equatable {
  /// Of the last request that is in it.
  package var sequence: Int64
  package var time: Instant

  /// A state; see the properties.
  package init(sequence: Int64, time: Instant) {
    self.sequence = sequence
    self.time = time
  }
}

extension SavedMachine {
  /// Tells a state with its bits, whatever their order, from any other: SHA-256.
  var digest: [UInt8] {
    var hash = SHA256()
    hash.update(data: state)
    for chunk in bits.sorted(by: { ($0.area, $0.place) < ($1.area, $1.place) }) {
      for number in [UInt64(chunk.area), UInt64(chunk.place), UInt64(chunk.bytes.count)] {
        withUnsafeBytes(of: number.littleEndian) { hash.update(bufferPointer: $0) }
      }
      hash.update(data: chunk.bytes)
    }
    return Array(hash.finalize())
  }
}
