package import Quantities

/// What the programme knows of its channels and live streams; the messages themselves are kept by
/// whoever drives it.
package struct MessageBoard: Sendable, Equatable, Codable {
  /// A live stream that is on.
  package struct LiveStream: Sendable, Equatable, Codable {
    /// From 1 on.
    package var number: Int64
    package var title: String
    package var started: Instant
  }

  /// Most Unicode scalars of a message, or of a stream's title.
  package static let textMaximum = 2_000

  /// Messages so far; the number of the last.
  package private(set) var messages: Int64 = 0
  @SavedSorted private var counts: [String: Int64] = [:]
  /// Live streams so far.
  package private(set) var streams: Int64 = 0
  /// The live stream that is on; nil while none is.
  package private(set) var live: LiveStream?

  /// A board without messages.
  package init() {}

  /// Messages in the channel with an id.
  package func messages(in id: String) -> Int64 { counts[id] ?? 0 }

  /// Takes a message.
  ///
  /// - Parameters:
  ///   - tier: The writer's; nil for the programme itself, which writes everywhere.
  ///   - id: Of the channel.
  /// - Returns: The message's number, from 1 on over all channels.
  /// - Throws: `RequestRefusal.channel`, then `.text`; nothing has changed.
  mutating func post(
    _ text: String, by tier: Tier?, in id: String, _ channels: Channels
  ) throws(RequestRefusal) -> Int64 {
    do throws(ChannelRefusal) {
      if let tier {
        _ = try channels.post(by: tier, id)
      } else if channels.index(of: id) == nil {
        throw .unknown(id: id)
      }
    } catch {
      throw .channel(error)
    }
    guard Self.isText(text) else { throw .text }
    messages += 1
    counts[id, default: 0] += 1
    return messages
  }

  /// Begins a live stream; there is one at a time.
  ///
  /// - Throws: `RequestRefusal.streamIsOn`, then `.text`.
  mutating func start(_ title: String, at time: Instant) throws(RequestRefusal) {
    guard live == nil else { throw .streamIsOn }
    guard Self.isText(title) else { throw .text }
    streams += 1
    live = LiveStream(number: streams, title: title, started: time)
  }

  /// Ends the live stream.
  ///
  /// - Returns: What ended.
  /// - Throws: `RequestRefusal.noStream`.
  mutating func end() throws(RequestRefusal) -> LiveStream {
    guard let ended = live else { throw .noStream }
    live = nil
    return ended
  }

  /// Whether somebody can read it: neither too long nor blank.
  private static func isText(_ text: String) -> Bool {
    text.unicodeScalars.count <= textMaximum && text.contains { !$0.isWhitespace }
  }
}
