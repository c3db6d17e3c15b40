internal import Documents
internal import Foundation
internal import Quantities
internal import RewardModel

extension BlakJaksMachine {
  /// Channels, messages and live streams.
  static let talking: [Endpoint<BlakJaksMachine>] = [
    Endpoint(
      .get, "/social/channels", "The channels, and which of them the member may read and write",
      .ask { call, machine throws(ServedRefusal) in machine.channelList(try call.who()) }),
    Endpoint(
      .get, "/social/channels/{id}/messages", "The last messages of a channel",
      .filtered(list("messages", .message, of: "channel", by: "number")) {
        call, machine throws(ServedRefusal) in
        let channel = try machine.channel(call)
        let tier = machine.state.members.account(of: try call.who()).standing.tier
        do throws(ChannelRefusal) {
          _ = try machine.state.channels.read(by: tier, channel.id)
        } catch { throw RequestRefusal.channel(error).served }
        return .text(channel.id)
      }),
    Endpoint(
      .post, "/social/channels/{id}/messages", "Write in a channel", fields: [messageText],
      .submit { call, machine throws(ServedRefusal) in
        let channel = try machine.channel(call)
        return Request(
          .post(member: try call.who(), channel: channel.id, text: call.text("text") ?? ""))
      }),
    Endpoint(
      .get, "/streaming/live", "The live streams that are on", access: .anyone,
      .ask { _, machine in
        let live = machine.state.board.live
        return .object([("streams", .array(live.map { [Self.json($0)] } ?? []))])
      }),
  ]

  /// What somebody writes.
  static let messageText = ServedField(
    "text", .text(least: 1, most: MessageBoard.textMaximum), "What is said; not blank")

  /// The channel that a path names, as in `general-chat` or `general%2Fgeneral-chat`.
  ///
  /// - Throws: 404 where there is none.
  func channel(_ call: ServedCall) throws(ServedRefusal) -> Channel {
    let name = call.path["id"]?.removingPercentEncoding ?? ""
    guard let channel = state.channels.channel(named: name) else {
      throw RequestRefusal.channel(.unknown(id: name)).served
    }
    return channel
  }

  private func channelList(_ member: UInt32) -> JSONText {
    let tier = state.members.account(of: member).standing.tier
    return .object([
      (
        "channels",
        .array(
          state.channels.all.map { channel in
            let mayRead = (try? state.channels.read(by: tier, channel.id)) != nil
            let mayWrite = (try? state.channels.post(by: tier, channel.id)) != nil
            return .line([
              ("id", .string(channel.slug)), ("name", .string(channel.name)),
              ("group", .string(channel.group.rawValue)),
              ("required_tier", .string(channel.requiredTier.key)),
              ("may_read", .bool(mayRead)), ("may_write", .bool(mayWrite)),
              ("messages", .integer(state.board.messages(in: channel.id))),
            ])
          })
      )
    ])
  }

  /// A live stream that is on, or that ended.
  static func json(_ stream: MessageBoard.LiveStream) -> JSONText {
    .line([
      ("number", .integer(stream.number)), ("title", .string(stream.title)),
      ("started", .string(stream.started.description)),
    ])
  }
}
