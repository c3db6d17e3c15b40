internal import CryptoExtras
internal import Dispatch
internal import Foundation

/// Turns passwords into what may be kept (scrypt, RFC 7914), one at a time, away from the threads
/// that serve requests.
struct Passwords: Sendable {
  private let queue = DispatchQueue(label: "passwords")
  /// scrypt's N, a power of two.
  private let rounds: Int

  /// - Parameter rounds: scrypt's N: memory and time grow with it.
  init(rounds: Int) { self.rounds = rounds }

  /// Bytes that nobody guesses.
  static var salt: Data { Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }) }

  /// What is kept of a password.
  func hash(_ password: String, salt: Data) async -> Data? {
    await withCheckedContinuation { continuation in
      queue.async {
        let key = try? KDF.Scrypt.deriveKey(
          from: Data(password.utf8), salt: salt, outputByteCount: 32, rounds: rounds, blockSize: 8,
          parallelism: 1)
        continuation.resume(returning: key.map { $0.withUnsafeBytes { Data($0) } })
      }
    }
  }
}
