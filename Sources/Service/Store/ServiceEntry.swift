package import Quantities
package import RewardModel

/// A request that was committed, as a journal keeps it.
package struct ServiceEntry: Sendable {
  /// From 1 on, without gaps.
  package var sequence: Int64
  package var time: Instant
  /// What the client calls the request, so that a repeat is known; nil for what nobody sent.
  package var key: String?
  /// A digest of what the client sent with the key.
  package var digest: Int64
  package var request: [UInt8]
  package var reply: ServedReply

  /// An entry; see the properties.
  package init(
    sequence: Int64, time: Instant, key: String?, digest: Int64, request: [UInt8],
    reply: ServedReply
  ) {
    self.sequence = sequence
    self.time = time
    self.key = key
    self.digest = digest
    self.request = request
    self.reply = reply
  }
}
