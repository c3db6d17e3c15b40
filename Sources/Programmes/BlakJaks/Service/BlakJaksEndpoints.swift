internal import Documents
internal import Quantities
package import RewardModel

extension BlakJaksMachine {
  package static let tables = ServiceRows.tables

  package static let joinFields = [
    ServedField(
      "state", .text(most: 2), isOptional: true, "Where the member lives, as two letters"),
    ServedField(
      "referral_code", .text(most: 16), isOptional: true,
      "The id of the member who referred them, as in BJ-0001-ST; the tier's letters may be of any tier"
    ),
  ]

  package static let endpoints: [Endpoint<BlakJaksMachine>] =
    own + shopping + talking + insights + administration

  /// What members ask about themselves.
  private static let own: [Endpoint<BlakJaksMachine>] = [
    Endpoint(
      .post, "/scans/submit", "Submit the code on a tin",
      fields: [ServedField("code", .text(most: 64), "As it is printed: XXXX-XXXX-XXXX")],
      .submit { call, machine throws(ServedRefusal) in
        let member = try call.who()
        guard machine.state.hasRoomForChips(of: member) else {
          throw ServedRefusal(
            409, "too many chips",
            "this member has no room for more gold chips that expire in the same month (65,535 at most); "
              + "scan again later")
        }
        return Request(.scan(member: member, code: call.text("code") ?? ""))
      }),
    Endpoint(
      .get, "/scans/recent", "The member's last accepted scans",
      .list(list("scans", .scan, of: "member", by: "number"))),
    Endpoint(
      .get, "/users/me", "The member's standing",
      .ask { call, machine throws(ServedRefusal) in machine.standing(try call.who()) }),
    Endpoint(
      .get, "/users/me/stats", "The member's scans and comps",
      .ask { call, machine throws(ServedRefusal) in machine.stats(try call.who()) }),
    Endpoint(
      .get, "/users/me/wallet", "What the member's wallet holds; its transactions are awards, too",
      .ask { call, machine throws(ServedRefusal) in machine.wallet(try call.who()) }),
    Endpoint(
      .get, "/users/me/comps", "What the member was awarded",
      .list(list("awards", .award, of: "receiver", by: "place"))),
    Endpoint(
      .get, "/transactions", "The member's withdrawals; /users/me/comps has awards",
      .list(list("transactions", .movement, of: "member", by: "number"))),
    Endpoint(
      .post, "/wallet/withdraw", "Withdraw from what is available",
      fields: [ServedField("amount", .money(most: limit), "In USDT")],
      .submit { call, _ throws(ServedRefusal) in
        let amount = MicroUSDT(microunits: call.whole("amount") ?? 0)
        return Request(.withdraw(member: try call.who(), amount: amount))
      }),
    Endpoint(
      .get, "/affiliate/stats", "What the member's referrals brought",
      .ask { call, machine throws(ServedRefusal) in machine.affiliate(try call.who()) }),
  ]

  /// What anybody may see of the program.
  private static let insights: [Endpoint<BlakJaksMachine>] =
    InsightPage.allCases.map { page in
      let (path, title) = ("/insights/\(page.rawValue)", page.description.title)
      return page == .feed
        ? Endpoint(
          .get, path, "\(title): what happened last", access: .anyone,
          .list(list("feed", .feed, of: nil, by: "place")))
        : Endpoint(.get, path, "Insights: \(title)", access: .anyone, .page(page.rawValue))
    }

  private static let administration: [Endpoint<BlakJaksMachine>] = [
    Endpoint(
      .post, "/admin/members", "Sign up members who have no password, for trials",
      access: .administrator, fields: [ServedField("count", .whole(1...1_000), "How many")],
      .submit { call, machine in
        let first = machine.nextMember
        let count = UInt32(call.whole("count") ?? 0)
        return Request(
          steps: (first..<(first + count)).map { .signUp(member: $0, state: nil) }, isBulk: true)
      }),
    Endpoint(
      .get, "/admin/members", "How many members there are, and referral codes of some of them",
      access: .administrator,
      fields: [
        ServedField(
          "from", .whole(0...(1 << 32 - 1)), isOptional: true,
          "The first whose code is told, counted from 0"),
        ServedField(
          "count", .whole(1...1_000), isOptional: true,
          "How many codes are told at most; none without it"),
      ], .ask { call, machine in machine.memberList(call) }),
    Endpoint(
      .post, "/admin/tins", "Print tins", access: .administrator,
      fields: [ServedField("count", .whole(1...Int64(BlakJaksMachine.printedAtOnce)), "How many")],
      .submit { call, machine in
        let count = machine.state.printed(run: 0) + UInt64(call.whole("count") ?? 0)
        return Request(.printTins(run: 0, through: count))
      }),
    Endpoint(
      .get, "/admin/tins", "Codes of printed tins", access: .administrator,
      fields: [
        ServedField("from", .whole(0...(1 << 36)), "The first, counted from 0"),
        ServedField("count", .whole(1...10_000), "How many at most"),
      ], .ask { call, machine in machine.printedCodes(call) }),
    Endpoint(
      .post, "/admin/orders/{member}/{number}/{status}", "Move an order on its way",
      access: .administrator,
      .submit { call, _ throws(ServedRefusal) in
        guard let member = call.path["member"].flatMap({ UInt32($0) }),
          let number = call.path["number"].flatMap({ UInt32($0) }),
          let status = OrderStatus.allCases.first(where: { $0.key == call.path["status"] })
        else { throw ServedRefusal(404, "not found", "no order or status is called that") }
        return Request(.moveOrder(member: member, number: number, to: status))
      }),
    Endpoint(
      .post, "/admin/channels/{id}/messages", "Write in a channel as the program itself",
      access: .administrator, fields: [messageText],
      .submit { call, machine throws(ServedRefusal) in
        let channel = try machine.channel(call)
        return Request(.post(member: nil, channel: channel.id, text: call.text("text") ?? ""))
      }),
    Endpoint(
      .post, "/admin/streams/start", "Begin a live stream", access: .administrator,
      fields: [
        ServedField(
          "title", .text(least: 1, most: MessageBoard.textMaximum), "What it is called")
      ], .submit { call, _ in Request(.startStream(title: call.text("title") ?? "")) }),
    Endpoint(
      .post, "/admin/streams/end", "End the live stream", access: .administrator,
      .submit { _, _ in Request(.endStream) }),
  ]

  /// More than anybody can own, so that sums stay in their range.
  private static let limit = MicroUSDT(microunits: 1_000_000_000_000_000)

  /// The rows of a table in a list, all columns of it but the one that says whose they are.
  static func list(
    _ name: String, _ place: ServiceRows.Place, of owner: String?, by newest: String
  ) -> RowList {
    let shape = ServiceRows.tables[place.rawValue].shape
    return RowList(
      name, table: place.rawValue, owner: owner, newest: newest,
      columns: shape.columns.map(\.name).filter { $0 != owner && $0 != "place" })
  }

  private func memberList(_ call: ServedCall) -> JSONText {
    let from = call.whole("from") ?? 0
    let through = min(from + (call.whole("count") ?? 0), Int64(nextMember))
    return .line([
      ("members", .integer(nextMember)),
      (
        "referral_codes",
        .array((from..<max(through, from)).map { .string(referralCode(of: UInt32($0))) })
      ),
    ])
  }

  /// A sign-up, and the referral where somebody referred them. Forms send what was left out as an
  /// empty text.
  package func join(_ call: ServedCall) throws(ServedRefusal) -> Request {
    let member = nextMember
    var state: UInt8?
    if let code = call.text("state"), !code.isEmpty {
      guard let row = states.index(of: code) else {
        throw ServedRefusal(409, "unknown state", "no state of the program is \(code)")
      }
      state = row
    }
    var request = Request(.signUp(member: member, state: state))
    guard let code = call.text("referral_code"), !code.isEmpty else { return request }
    guard let number = Self.number(ofReferral: code), self.state.members.knows(number - 1) else {
      throw ServedRefusal(409, "unknown referral code", "no member has the code \(code)")
    }
    if let refusal = self.state.refusesReferral(by: number - 1) { throw refusal.served }
    request.steps.append(.refer(member: member, affiliate: number - 1))
    return request
  }

  /// The number of the member whose id a code is, from 1 on; nil for what is no id. The tier in it may be one
  /// that the member had before.
  private static func number(ofReferral code: String) -> UInt32? {
    let number = code.split(separator: "-").dropFirst().first.flatMap { UInt32($0) }
    guard let number, number >= 1,
      Tier.allCases.contains(where: { memberID(sequence: Int(number), tier: $0) == code })
    else { return nil }
    return number
  }
}
