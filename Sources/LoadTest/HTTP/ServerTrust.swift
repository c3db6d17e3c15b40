internal import Foundation
internal import NIOSSL

/// Whose word a certificate of an https service needs before anything is sent to it.
package struct ServerTrust: Sendable {
  /// The file with the authorities is of no use.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package var description: String
    /// Whether the file is missing or may not be read.
    package var isUnreadable = false
  }

  private enum Kind {
    case system
    case authorities([NIOSSLCertificate])
    case anybody
  }

  private let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// That of an authority that this machine trusts.
  package static let system = ServerTrust(.system)

  /// Nobody's: any certificate will do. Only for services on this machine.
  package static let anybody = ServerTrust(.anybody)

  /// That of the authorities in a file alone.
  ///
  /// - Parameter file: Certificates in PEM.
  /// - Throws: `Failure` where it cannot be read or holds none.
  package init(authorities file: String) throws(Failure) {
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: file)) else {
      throw Failure(
        description: "\(file): cannot be read; give a file of certificates in PEM",
        isUnreadable: true)
    }
    guard let found = try? NIOSSLCertificate.fromPEMBytes(Array(bytes)), !found.isEmpty else {
      throw Failure(description: "\(file): holds no certificate in PEM; give a file that does")
    }
    kind = .authorities(found)
  }

  /// Whether it is said by a flag.
  var isGiven: Bool {
    if case .system = kind { return false }
    return true
  }

  /// Whether any certificate will do.
  var isAnybody: Bool {
    if case .anybody = kind { return true }
    return false
  }

  /// How a client of HTTP/1.1 shakes hands: TLS 1.2 or 1.3.
  var configuration: TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    switch kind {
    case .system: break
    case .authorities(let certificates): configuration.trustRoots = .certificates(certificates)
    case .anybody: configuration.certificateVerification = .none
    }
    return configuration
  }
}
