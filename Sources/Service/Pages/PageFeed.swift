internal import Documents
internal import NIOCore
internal import Reports
internal import RewardModel

/// Tells those who listen to a page when it changes, as server-sent events (HTML, 9.2).
///
/// Pages are asked for while somebody listens, at most a few times a second, and only where
/// something happened; every listener of a page gets the same bytes. Whoever does not take them is
/// dropped.
actor PageFeed {
  /// How a page is told.
  enum Form: String, CaseIterable, Sendable {
    /// The whole page, as `/insights` gives it.
    case json
    /// The parts of the web page that changed.
    case html
  }

  /// What somebody listens to.
  struct Topic: Hashable, Sendable {
    var page: String
    var form: Form
  }

  /// Nobody else is let in.
  struct Full: Error {}

  private struct Listener {
    var events: AsyncStream<ByteBuffer>.Continuation
    var drop: @Sendable () -> Void
  }

  /// A page as it was told last, and who listens to it.
  private struct Told {
    var parts: [(id: String, content: String)] = []
    var listeners: [Int: Listener] = [:]
  }

  /// Events that wait for a listener's connection at most.
  private static let backlog = 16
  /// Looks without news after which pages are asked for all the same: what is of the last hours
  /// changes by itself.
  private static let looksBetween = 20

  private let page: @Sendable (String) async throws -> Page
  /// Grows with whatever happens.
  private let happened: @Sendable () -> Int64
  private let most: Int
  private var topics: [Topic: Told] = [:]
  private var count = 0
  private var number = 0
  private var seen: Int64 = -1
  private var looks = 0
  /// Listeners who were dropped because they did not take what they were sent.
  private(set) var dropped: Int64 = 0

  /// - Parameters:
  ///   - most: Listeners at once.
  ///   - happened: A count of what happened so far.
  ///   - page: A page by its id, as it is now.
  init(
    most: Int, happened: @escaping @Sendable () -> Int64,
    page: @escaping @Sendable (String) async throws -> Page
  ) {
    self.most = most
    self.happened = happened
    self.page = page
  }

  /// How many listen.
  var listeners: Int { count }

  /// Lets somebody listen. The page as it is comes first.
  ///
  /// - Parameter drop: Called where what is sent is not taken.
  /// - Throws: `Full`, and what asking for the page throws.
  func listen(
    to topic: Topic, drop: @escaping @Sendable () -> Void
  ) async throws -> (number: Int, events: AsyncStream<ByteBuffer>) {
    guard count < most else { throw Full() }
    count += 1
    do {
      let page = try await page(topic.page)
      let (events, sink) = AsyncStream.makeStream(
        of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(Self.backlog))
      number += 1
      // Those who listen already get the news with the newcomer.
      tell(page, topic)
      sink.yield(Self.event(page, topic.form, parts: Self.parts(page, topic.form), retry: true))
      topics[topic, default: Told()].parts = Self.parts(page, topic.form)
      topics[topic]?.listeners[number] = Listener(events: sink, drop: drop)
      return (number, events)
    } catch {
      count -= 1
      throw error
    }
  }

  /// Lets somebody go; nobody where they went before.
  func leave(_ number: Int) {
    for topic in topics.keys {
      guard let listener = topics[topic]?.listeners.removeValue(forKey: number) else { continue }
      listener.events.finish()
      count -= 1
      if topics[topic]?.listeners.isEmpty ?? false { topics[topic] = nil }
    }
  }

  /// Looks again and again until it is cancelled; then nobody listens any more.
  func run() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(400))
      await look()
    }
    for told in topics.values {
      for listener in told.listeners.values { listener.events.finish() }
    }
    topics = [:]
    count = 0
  }

  /// Looks once.
  func look() async {
    guard !topics.isEmpty else { return }
    looks += 1
    let now = happened()
    let isDue = looks % Self.looksBetween == 0
    guard now != seen || isDue else { return }
    seen = now
    for id in Set(topics.keys.map(\.page)).sorted() {
      // A service that is busy or stopping has nothing to tell now.
      guard let page = try? await page(id) else { continue }
      for form in Form.allCases { tell(page, Topic(page: id, form: form), orTime: isDue) }
    }
  }

  /// Tells what has changed of a page to those who listen to it.
  ///
  /// - Parameter orTime: Whether they hear the time where nothing has.
  private func tell(_ page: Page, _ topic: Topic, orTime: Bool = false) {
    guard let told = topics[topic] else { return }
    let parts = Self.parts(page, topic.form)
    let known = Dictionary(told.parts, uniquingKeysWith: { first, _ in first })
    let news = parts.filter { known[$0.id] != $0.content }
    guard !news.isEmpty else {
      guard orTime else { return }
      let time =
        topic.form == .html
        ? Self.event(page, .html, parts: []) : ByteBuffer(string: ": still here\n\n")
      return send(time, topic)
    }
    topics[topic]?.parts = parts
    send(Self.event(page, topic.form, parts: news), topic)
  }

  private func send(_ event: ByteBuffer, _ topic: Topic) {
    for (number, listener) in topics[topic]?.listeners ?? [:] {
      if case .dropped = listener.events.yield(event) {
        dropped += 1
        listener.drop()
        leave(number)
      }
    }
  }

  // MARK: - Events

  /// What a page shows, apart from the time that it is of.
  private static func parts(_ page: Page, _ form: Form) -> [(id: String, content: String)] {
    switch form {
    case .json: [(page.description.id, PageJSON.data(page).flat)]
    case .html: LivePage.parts(page).map { ($0.id, $0.html) }
    }
  }

  private static func event(
    _ page: Page, _ form: Form, parts: [(id: String, content: String)], retry: Bool = false
  ) -> ByteBuffer {
    let (name, data): (String, JSONText) =
      switch form {
      case .json: ("page", PageJSON.document(page))
      case .html:
        (
          "parts",
          .object([
            ("time", .string(LivePage.time(page))),
            ("parts", .object(parts.map { ($0.id, .string($0.content)) })),
          ])
        )
      }
    return ByteBuffer(
      string: "\(retry ? "retry: 2000\n" : "")event: \(name)\ndata: \(data.flat)\n\n")
  }
}
