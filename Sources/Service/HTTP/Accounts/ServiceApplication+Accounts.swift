internal import Documents
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Quantities
internal import RewardModel

/// Who somebody is: accounts, tokens, age.
extension ServiceApplication {
  /// Takes somebody in who is of age.
  func signUp(_ request: Request) async throws -> ServedReply {
    let arrival = ContinuousClock.now
    let body = try await body(of: request)
    let call = ServedCall(
      values: try CallParser.values(body, AccountFields.join + Machine.joinFields))
    let email = (call.text("email") ?? "").lowercased()
    let password = call.text("password") ?? ""
    let born = call.text("birth_date") ?? ""
    // The writer gives the number.
    var account = ServiceAccount(
      member: 0, email: email, born: born, salt: Passwords.salt, hash: Data())
    guard let today = try? today(), account.isOfAge(minimumAge, on: today) else {
      throw ServedRefusal(403, "too young", "members are \(minimumAge) or older")
    }
    account.hash = try await hash(password, salt: account.salt)
    let key = try idempotencyKey(request, nil).map { "join:\(email):\($0)" }
    // The password is left out: it must not be guessed from a digest that is kept.
    let said = (AccountFields.join + Machine.joinFields).map(\.name).filter { $0 != "password" }
      .map { [$0, call.text($0) ?? ""] }
    let digest = Self.digest(request, ByteBuffer(string: "\(said)"))
    let reply = try await submit(key, digest: digest, account: account) {
      (machine) throws(ServedRefusal) in try machine.join(call)
    }
    times.note(.now - arrival)
    return reply
  }

  private func hash(_ password: String, salt: Data) async throws -> Data {
    do throws(Passwords.Refusal) {
      return try await passwords.hash(password, salt: salt)
    } catch .full {
      throw Busy(seconds: 2, detail: "too many sign in at once")
    } catch .failed {
      throw ServedRefusal(500, "failed", "the password could not be taken; try again")
    }
  }

  private func today() throws -> CivilDate {
    let now = engine.now
    return try ProgrammeCalendar(zone: zone, covering: now, through: now).dates[0]
  }

  /// Gives a token to somebody who has an account.
  func logIn(_ request: Request) async throws -> ServedReply {
    let body = try await body(of: request)
    let call = ServedCall(values: try CallParser.values(body, AccountFields.logIn))
    let email = (call.text("email") ?? "").lowercased()
    let account = try await Elsewhere.run(within: engine.answerSeconds) {
      try store.account(email: email)
    }
    // An unknown address takes as long as a wrong password.
    let hash = try await hash(
      call.text("password") ?? "", salt: account?.salt ?? Passwords.salt)
    guard let account, hash == account.hash else {
      throw ServedRefusal(401, "not known", "no account has this email and password")
    }
    return ServedReply(
      body: .line([
        ("member", .integer(account.member)),
        ("token", .string(try await tokens.token(of: account.member))),
        ("expires_in", .integer(86_400)),
      ]))
  }

  /// Tokens of members who have no password, for trials.
  func trialTokens(_ request: Request) async throws -> ServedReply {
    _ = try await member(of: request, .administrator)
    let call = ServedCall(
      values: try CallParser.values(query: Self.query(request), OpenAPI.tokenFields))
    let from = call.whole("from") ?? 0
    let known = try await ask { (machine) throws(ServedRefusal) in
      ServedReply(body: .integer(machine.nextMember))
    }
    let members = Int64(String(decoding: known.body, as: UTF8.self)) ?? 0
    var made: [JSONText] = []
    for member in from..<max(min(from + (call.whole("count") ?? 0), members), from) {
      made.append(.string(try await tokens.token(of: UInt32(member))))
    }
    return ServedReply(body: .line([("tokens", .array(made))]))
  }

  /// Who asks.
  func member(of request: Request, _ access: ServedAccess) async throws -> UInt32? {
    let header = request.headers[.authorization] ?? ""
    // Schemes are the same in any case: RFC 9110, section 11.1.
    let isBearer = header.prefix(7).lowercased() == "bearer "
    let token = isBearer ? String(header.dropFirst(7)) : ""
    switch access {
    case .anyone: return token.isEmpty ? nil : await tokens.member(token)
    case .administrator:
      guard tokens.isAdministrator(token) else {
        throw ServedRefusal(
          token.isEmpty ? 401 : 403, "not allowed", "this takes the administrator's token")
      }
      return nil
    case .member:
      guard let member = await tokens.member(token) else {
        throw ServedRefusal(401, "not signed in", "this takes a member's bearer token")
      }
      return member
    }
  }
}
