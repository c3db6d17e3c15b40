internal import Foundation

/// The service that load is sent to: scheme, host, port and what stands before every path.
package struct TargetURL: Sendable, Equatable {
  /// Nil where the service speaks http.
  let tls: TLSClient?
  /// Whether the authorities that vouch for it were named.
  let namesAuthorities: Bool
  package let host: String
  package let port: UInt16
  /// Percent-encoded, without a slash at its end; mostly empty.
  package let prefix: String

  /// Why a text is no target.
  package struct Refusal: Error, Equatable, CustomStringConvertible {
    package var description: String
  }

  /// - Parameters:
  ///   - text: As in `http://127.0.0.1:8080/api`.
  ///   - allowed: Hosts that load may be sent to, besides this machine itself.
  ///   - trust: Who vouches for an https service; anybody only for one on this machine.
  /// - Throws: `Refusal` with what would do.
  package init(
    _ text: String, allowed: [String], trust: ServerTrust = .system
  ) throws(Refusal) {
    // Neither a scheme nor a host's name has upper and lower case.
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      let host = parts.host?.lowercased(), !host.isEmpty
    else {
      throw Refusal(
        description: "'\(text)' is not an address; write one like http://127.0.0.1:8080")
    }
    guard scheme == "http" || scheme == "https" else {
      throw Refusal(description: "'\(scheme)' is not spoken; write http:// or https://")
    }
    guard parts.user == nil, parts.query == nil, parts.fragment == nil else {
      throw Refusal(description: "'\(text)' has more than host, port and path; leave the rest out")
    }
    let port = parts.port ?? (scheme == "https" ? 443 : 80)
    guard (1...65_535).contains(port) else {
      throw Refusal(description: "port \(port) is not from 1 to 65535")
    }
    let bare = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    guard Self.isLoopback(bare) || allowed.contains(where: { $0.lowercased() == bare })
    else {
      throw Refusal(
        description:
          "'\(bare)' is another machine; where its owner agrees, add --allow-host \(bare)"
      )
    }
    self.host = bare
    namesAuthorities = trust.isGiven && !trust.isAnybody
    self.port = UInt16(port)
    tls = scheme == "https" ? try Self.client(trust, bare, UInt16(port)) : nil
    guard tls != nil || !trust.isGiven else {
      throw Refusal(
        description: "'\(text)' has no certificate to check; write https:// or leave the flag out")
    }
    // As it is sent: an encoded slash or space is a part of a name.
    let path = parts.percentEncodedPath
    prefix = path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  private static func client(
    _ trust: ServerTrust, _ host: String, _ port: UInt16
  ) throws(Refusal) -> TLSClient {
    guard !trust.isAnybody || isLoopback(host) else {
      throw Refusal(
        description: "the certificate of '\(host)', another machine, is always checked; name the "
          + "authority that signed it with --ca-file")
    }
    do {
      return try TLSClient(trust, host: host, port: port)
    } catch {
      throw Refusal(description: "'\(host)' cannot be spoken to by TLS: \(error)")
    }
  }

  /// Whether a host's name or address is this machine's own.
  package static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" { return true }
    var address = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET6, host, &address) == 1 {
      // ::1, and 127.0.0.0/8 as it is mapped into IPv6 (RFC 4291, 2.5.3 and 2.5.5.2).
      let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF, 127]
      return address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
        || address.starts(with: mapped)
    }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// For the Host header.
  package var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
