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

  /// A page that newcomers get: they make none of their own.
  private struct Kept {
    var page: Page
    var time: ContinuousClock.Instant
    /// What had happened when it was asked for.
    var happened: Int64
  }

  /// Between two looks.
  private static let pause = Duration.milliseconds(400)
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
  /// The latest pages, and those that are being made, by their ids.
  private var kept: [String: Kept] = [:]
  private var making: [String: Task<Page, any Error>] = [:]
  private var count = 0
  private var number = 0
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
      let page = try await latest(topic.page)
      let (events, sink) = AsyncStream.makeStream(
        of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(Self.backlog))
      number += 1
      sink.yield(Self.event(page, topic.form, parts: Self.parts(page, topic.form), retry: true))
      // Those who listen already may be about to be told this page.
      if topics[topic] == nil { topics[topic] = Told(parts: Self.parts(page, topic.form)) }
      topics[topic]?.listeners[number] = Listener(events: sink, drop: drop)
      return (number, events)
    } catch {
      count -= 1
      throw error
    }
  }

  /// A page as it was less than a look ago, or as it is now, which those who listen to it get with the
  /// newcomer.
  private func latest(_ id: String) async throws -> Page {
    if let kept = kept[id], ContinuousClock.now - kept.time < Self.pause { return kept.page }
    if let making = making[id] { return try await making.value }
    let now = happened()
    let task = Task { [page] in try await page(id) }
    making[id] = task
    defer { making[id] = nil }
    let page = try await task.value
    take(page, id, asOf: now)
    return page
  }

  /// Takes a page that was just made.
  private func take(_ page: Page, _ id: String, asOf happened: Int64, orTime: Bool = false) {
    kept[id] = Kept(page: page, time: .now, happened: happened)
    for form in Form.allCases { tell(page, Topic(page: id, form: form), orTime: orTime) }
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
      try? await Task.sleep(for: Self.pause)
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
    // What a newcomer got may be of before: each page says what it knows of.
    for id in Set(topics.keys.map(\.page)).sorted() where isDue || kept[id]?.happened != now {
      // A service that is busy or stopping has nothing to tell now.
      guard let page = try? await page(id) else { continue }
      take(page, id, asOf: now, orTime: isDue)
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
