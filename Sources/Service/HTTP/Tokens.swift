internal import Foundation
internal import JWTKit

/// Signed bearer tokens (RFC 7519): who a member is, and until when.
struct Tokens: Sendable {
  private struct Claims: JWTPayload {
    var sub: SubjectClaim
    var exp: ExpirationClaim

    func verify(using key: some JWTAlgorithm) throws { try exp.verifyNotExpired() }
  }

  private let keys = JWTKeyCollection()
  private let administrator: String

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
    guard let claims = try? await keys.verify(token, as: Claims.self) else { return nil }
    return UInt32(claims.sub.value)
  }

  /// Whether it is the administrator's. Takes the same time whatever is wrong.
  func isAdministrator(_ token: String) -> Bool {
    let (a, b) = (Array(token.utf8), Array(administrator.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0
  }
}
