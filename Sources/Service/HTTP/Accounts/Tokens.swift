internal import Foundation
internal import JWTKit
internal import Synchronization

/// Signed bearer tokens (RFC 7519): who a member is, and until when.
struct Tokens: Sendable {
  private struct Claims: JWTPayload {
    var sub: SubjectClaim
    var exp: ExpirationClaim

    func verify(using key: some JWTAlgorithm) throws { try exp.verifyNotExpired() }
  }

  /// Whose a token is that was verified before.
  private struct Known: Sendable {
    var member: UInt32
    var until: Date
  }

  /// Tokens that are kept as verified, some fifteen megabytes of them.
  private static let capacity = 65_536

  private let keys = JWTKeyCollection()
  private let administrator: String
  private let known = KnownTokens()

  private final class KnownTokens: Sendable {
    let members = Mutex<[String: Known]>([:])
  }

  init(_ secrets: ServiceSecrets) async {
    administrator = secrets.administrator
    await keys.add(hmac: HMACKey(from: secrets.tokens), digestAlgorithm: .sha256)
  }

  /// A member's token, good for a day.
  func token(of member: UInt32) async throws -> String {
    try await keys.sign(
      Claims(
        sub: SubjectClaim(value: String(member)),
        exp: ExpirationClaim(value: Date(timeIntervalSinceNow: 86_400))))
  }

  /// The member whose token it is; nil for any other text, an old token or a forged one.
  func member(_ token: String) async -> UInt32? {
    if let known = known.members.withLock({ $0[token] }) {
      return known.until > Date() ? known.member : nil
    }
    guard let claims = try? await keys.verify(token, as: Claims.self),
      let member = UInt32(claims.sub.value)
    else { return nil }
    known.members.withLock { members in
      // All at once is rare, and costs each token one more look.
      if members.count >= Self.capacity { members.removeAll(keepingCapacity: true) }
      members[token] = Known(member: member, until: claims.exp.value)
    }
    return member
  }

  /// Whether it is the administrator's. Takes the same time whatever is wrong.
  func isAdministrator(_ token: String) -> Bool {
    let (a, b) = (Array(token.utf8), Array(administrator.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0
  }
}
