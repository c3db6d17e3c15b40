// Goal: who listens to a page costs no page of their own, and who has gone keeps no place.
// Method: the feed with pages that are counted; a real service whose listeners close their connections.
import BlakJaks
import Foundation
import NIOCore
import RewardModel
import Synchronization
import TestSupport
import Testing

@testable import Service

@Suite struct PageListenerTests {
  /// Counts calls.
  private final class Counter: Sendable {
    private let count = Mutex<Int64>(0)

    var value: Int64 { count.withLock { $0 } }

    func next() { count.withLock { $0 += 1 } }
  }

  @Test("Newcomers get a page that was just made, and disturb nobody")
  func newcomers() async throws {
    let service = try ServiceFixture()
    _ = try await service.begin(members: 1, tins: 1)
    let page = try #require(
      try await service.ask { $0.page("overview", at: ServiceFixture.start, ServiceMeasures()) })
    let (made, events) = (Counter(), Counter())
    // Something happens all the time.
    let feed = PageFeed(
      most: 400,
      happened: {
        events.next()
        return events.value
      },
      page: { _ in
        made.next()
        var news = page
        news.blocks[0].title = "\(made.value)"
        return news
      })
    let (_, first) = try await feed.listen(to: .init(page: "overview", form: .html)) {}
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<300 {
        let form: PageFeed.Form = number % 2 == 0 ? .json : .html
        group.addTask { _ = try await feed.listen(to: .init(page: "overview", form: form)) {} }
      }
      try await group.waitForAll()
    }
    #expect(await feed.listeners == 301)
    // One for each 0.4 seconds that it took.
    #expect(made.value < 60, "\(made.value)")
    let pages = made.value
    await feed.look()
    #expect(made.value == pages + 1)
    // The first listener heard of each page once, and of nothing else.
    for number in 2..<302 { await feed.leave(number) }
    await feed.leave(1)
    var heard = 0
    for await _ in first { heard += 1 }
    #expect(heard == min(Int(pages) + 1, 16), "\(heard) of \(pages)")
  }

  @Test("A newcomer whose page is of before hears of what has happened since at the next look")
  func news() async throws {
    let service = try ServiceFixture()
    _ = try await service.begin(members: 1, tins: 1)
    let page = try #require(
      try await service.ask { $0.page("overview", at: ServiceFixture.start, ServiceMeasures()) })
    let scans = Counter()
    let feed = PageFeed(
      most: 10, happened: { scans.value },
      page: { id in
        var news = page
        news.blocks[0].title = "\(id) after \(scans.value)"
        return news
      })
    let topic = PageFeed.Topic(page: "systems", form: .html)
    _ = try await feed.listen(to: .init(page: "overview", form: .json)) {}
    let (first, _) = try await feed.listen(to: topic) {}
    await feed.leave(first)
    scans.next()
    // Those who listen to another page are told, and the feed knows of the scan.
    await feed.look()
    let (number, events) = try await feed.listen(to: topic) {}
    await feed.look()
    await feed.leave(number)
    var heard: [String] = []
    for await event in events { heard.append(String(buffer: event)) }
    #expect(heard.last?.contains("systems after 1") == true, "\(heard)")
  }

  @Test(
    "A listener whose connection ended makes room before anything is sent",
    arguments: [false, true])
  func gone(isReset: Bool) async throws {
    let served = try await Served(ServiceFixture(), listeners: 3)
    defer { served.stop() }
    let port = served.port
    let answers = try await blocking { () throws -> [Int?] in
      var answers: [Int?] = []
      for _ in 0..<4 {
        let sockets = try (0..<3).map { _ in
          // Where the last ones are just leaving, there is room in a moment.
          for _ in 0..<50 {
            let socket = try RawSocket(port: port)
            socket.send(Array("GET /insights/events HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
            let status = socket.status()
            if status != 429 {
              answers.append(status)
              return socket
            }
            usleep(50_000)
          }
          answers.append(429)
          return try RawSocket(port: port)
        }
        for socket in sockets {
          if isReset { socket.reset() } else { socket.finishSending() }
        }
      }
      return answers
    }
    #expect(answers == [Int?](repeating: 200, count: 12))
  }
}
