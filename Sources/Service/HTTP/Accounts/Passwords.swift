internal import CryptoExtras
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Turns passwords into what may be kept (scrypt, RFC 7914), one at a time, away from the threads
/// that serve requests.
final class Passwords: Sendable {
  /// Why a password is not taken.
  enum Refusal: Error {
    /// More wait than are kept.
    case full
    /// The machine has no memory for it.
    case failed
  }

  /// Most that wait.
  private static let capacity = 64
  private let queue = DispatchQueue(label: "passwords")
  private let waiting = Atomic<Int>(0)
  /// scrypt's N, a power of two.
  private let rounds: Int

  /// - Parameter rounds: scrypt's N: memory and time grow with it.
  init(rounds: Int) { self.rounds = rounds }

  /// Bytes of a salt, and of what is kept of a password.
  static let sizes = (salt: 16, hash: 32)

  /// Bytes that nobody guesses.
  static var salt: Data { Data((0..<sizes.salt).map { _ in UInt8.random(in: .min ... .max) }) }

  /// What is kept of a password.
  func hash(_ password: String, salt: Data) async throws(Refusal) -> Data {
    guard waiting.add(1, ordering: .relaxed).oldValue < Self.capacity else {
      waiting.subtract(1, ordering: .relaxed)
      throw .full
    }
    defer { waiting.subtract(1, ordering: .relaxed) }
    let hash = await withCheckedContinuation { (continuation: CheckedContinuation<Data?, Never>) in
      queue.async { [rounds] in
        let key = try? KDF.Scrypt.deriveKey(
          from: Data(password.utf8), salt: salt, outputByteCount: Self.sizes.hash, rounds: rounds,
          blockSize: 8, parallelism: 1)
        continuation.resume(returning: key.map { $0.withUnsafeBytes { Data($0) } })
      }
    }
    guard let hash else { throw .failed }
    return hash
  }
}
