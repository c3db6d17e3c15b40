internal import DequeModule
internal import EventKernel
internal import Foundation
internal import HeapModule
package import RewardModel

/// Sends what members do to a service, on one thread.
///
/// Sessions start when they are meant to, whatever becomes of those before them; the steps of one
/// session wait for its answers. A request that finds no connection free waits, and its wait counts.
package final class ServiceLoad<Crowd: LoadCrowd> {
  private typealias Slot = LoadSlot<Crowd.Session>

  /// No model draws from it.
  private static var thinkPurpose: UInt32 { 82 }

  private let target: TargetURL
  private let map: ServiceMap
  private let settings: Settings
  /// Who acts with which token, those who have joined by now among them.
  package private(set) var accounts: LoadAccounts
  /// What is left of what was handed out, and how those who have joined are named.
  package private(set) var supply: LoadSupplies
  /// Members who are joining, with their sessions that wait for it.
  private var joining: [UInt32: [Crowd.Session]] = [:]
  /// Members who could not join.
  private var outside: Set<UInt32> = []
  private var offer: LoadOffer<Crowd>
  private var client: HTTPClient
  private let clock = WallClock()
  private var slots: [Slot?] = []
  private var free: [UInt32] = []
  private var waiting = Deque<UInt32>()
  private var alarms = Heap<LoadAlarm>()
  private var ended: [(slot: UInt32, verdict: ServiceCall.Verdict, values: [String?], wait: Int?)] =
    []
  private var begin: Int64 = 0
  private var now: Int64 = 0
  /// Until when sessions start.
  private var end: Int64 = 0
  private var serial: UInt32 = 0
  /// Distinguishes the keys of this run from those of any other.
  private let keyPrefix: String
  private var scratch: [UInt8] = []
  private var values: [String] = []
  private var thinking: RandomStream
  private var watch: LoadWatch
  private var measures: LoadMeasures

  /// - Parameters:
  ///   - target: Where it is sent to.
  ///   - offer: What is sent.
  ///   - key: Different for each run against one service.
  /// - Throws: Where the host has no address.
  package init(
    _ target: TargetURL, _ map: ServiceMap, _ offer: LoadOffer<Crowd>, _ accounts: LoadAccounts,
    _ supply: LoadSupplies, key: String, settings: Settings = Settings()
  ) throws {
    self.target = target
    self.map = map
    self.offer = offer
    self.accounts = accounts
    self.supply = supply
    self.settings = settings
    keyPrefix = key
    client = try HTTPClient(
      target, limit: settings.connections, timeout: Int64(settings.timeout * 1e9))
    thinking = RandomStream(seed: 1, purpose: Self.thinkPurpose, entity: 0)
    watch = LoadWatch(settings.thresholds, steps: Crowd.steps.map(\.name))
    measures = LoadMeasures(journeys: Crowd.journeys.count, steps: Crowd.steps.count)
  }

  /// The members after what was sent, for a further load.
  package var remaining: LoadOffer<Crowd> { offer }

  /// Sends all of it.
  ///
  /// - Parameter proceed: Asked ten times a second with how it goes; false ends the run.
  package func run(proceed: (LoadProgress) -> Bool = { _ in true }) -> LoadMeasures {
    measures.started = Date().timeIntervalSince1970
    begin = clock.now() + 2_000_000
    now = begin
    let worked = clock.processorTime()
    var next = offer.take()
    end = begin + Int64(offer.seconds * 1e9)
    let last = end + Int64(settings.drain * 1e9)
    var look = begin
    var second = begin + 1_000_000_000
    while true {
      now = clock.now()
      // What is due comes first, then what is asked: both in the order of their instants.
      while let (start, session) = next, begin + start <= now {
        measures.lag.record(now - begin - start)
        if now - begin - start > PacedTimes.tolerance { measures.late += 1 }
        startSession(session, intended: begin + start)
        next = offer.take()
      }
      while let alarm = alarms.min, alarm.time <= now {
        alarms.removeMin()
        submit(alarm.slot)
      }
      dispatch()
      if now >= second {
        finishSecond(second)
        second += 1_000_000_000
        if settings.aborts, watch.isMissed {
          measures.wasAborted = true
          break
        }
      }
      if now >= look {
        guard proceed(progress) else {
          measures.wasInterrupted = true
          break
        }
        look = now + 100_000_000
      }
      let isIdle = next == nil && measures.open == 0
      if isIdle && now >= end || now >= last { break }
      var until = min(look, second)
      if let next { until = min(until, begin + next.start) }
      if let alarm = alarms.min { until = min(until, alarm.time) }
      client.step(max(until - clock.now(), 0), now: clock.now) { tag, ending in
        note(tag, ending)
      }
      finishEnded()
    }
    return conclude(next, worked)
  }

  private func conclude(
    _ next: (start: Int64, session: Crowd.Session)?, _ worked: Int64
  ) -> LoadMeasures {
    now = clock.now()
    measures.elapsed = max(Double(now - begin) / 1e9, 1e-9)
    // Where it ends early, nobody knows yet what becomes of what is open.
    let isEarly = measures.endedEarly
    let open = isEarly ? openRequests : []
    for request in open { measures.steps[request.step].unanswered += 1 }
    if !isEarly { giveUpOpen() }
    // A part of a second says nothing about stretches.
    while measures.isInSecond {
      measures.finishSecond(underWay: client.busy, waiting: waiting.count)
    }
    measures.processorSeconds = Double(clock.processorTime() - worked) / 1e9
    var next = next
    while let (start, _) = next {
      measures.unsent += 1
      if begin + start + PacedTimes.tolerance > now { measures.notDue += 1 }
      next = offer.take()
    }
    measures.unfinished = measures.open
    measures.codesMissing = max(supply.used - supply.codes.count, 0)
    measures.connects = client.connects
    measures.mostUnderWay = client.mostBusy
    measures.bytes = client.received
    measures.key = keyPrefix
    watch.conclude(measures, over: offer.seconds, open: open)
    measures.thresholds = watch.results
    return measures
  }

  /// Nobody waits any longer for what was asked and not answered.
  private func giveUpOpen() {
    for case let slot? in slots {
      let (shape, latency) = (slot.step.shape, now - slot.intended)
      switch slot.phase {
      case .thinking: continue
      case .asking:
        measures.failed(shape, .unanswered)
        measures.gaveUp(shape, after: .unanswered, latency: latency)
      // The attempt before a wait has failed already.
      case .backingOff(let kind): measures.gaveUp(shape, after: kind, latency: latency)
      }
    }
  }

  private var progress: LoadProgress {
    LoadProgress(
      elapsed: Double(now - begin) / 1e9, seconds: offer.seconds, second: measures.seconds.last,
      open: measures.open, underWay: client.busy, waiting: waiting.count,
      isDraining: now >= end)
  }

  // MARK: - Sessions

  private func startSession(_ session: Crowd.Session, intended: Int64) {
    measures.sessions[session.journey] += 1
    measures.begun(in: Int((intended - begin) / 1_000_000_000))
    measures.open += 1
    let member = session.member
    if session.journey == Crowd.joining?.journey {
      joining[member] = []
      outside.remove(member)
      accounts[member] = nil
    } else if joining[member] != nil {
      joining[member]?.append(session)
      return
    } else if outside.contains(member) {
      return turnAway()
    }
    begin(session, intended: intended)
  }

  /// A session of somebody who could not join.
  private func turnAway() {
    measures.withoutAccount += 1
    measures.open -= 1
  }

  /// Somebody has joined, or could not; what they came for meanwhile follows.
  private func concludeJoin(_ member: UInt32) {
    let sessions = joining.removeValue(forKey: member) ?? []
    if accounts[member] == nil { outside.insert(member) }
    for session in sessions {
      if accounts[member] == nil { turnAway() } else { begin(session, intended: now) }
    }
  }

  private func begin(_ session: Crowd.Session, intended: Int64) {
    let slot = free.popLast() ?? UInt32(slots.count)
    if slot == slots.count { slots.append(nil) }
    slots[Int(slot)] = Slot(session: session, step: LoadStep(0))
    go(on: slot, after: nil, intended: intended)
  }

  /// Asks for the next step until there is one that is sent.
  private func go(on place: UInt32, after answer: LoadAnswer?, intended: Int64) {
    guard var slot = slots[Int(place)] else { return }
    var answer = answer
    while let step = offer.step(&slot.session, after: answer, &supply) {
      guard map.calls[step.shape] != nil else {
        // What the service does not have is passed over.
        answer = LoadAnswer(.done, Crowd.steps[step.shape].takes.map { _ in nil })
        continue
      }
      slot.step = step
      slot.attempts = 0
      serial &+= 1
      slot.serial = serial
      measures.steps[step.shape].offered += 1
      let isFirst = answer == nil
      let pause =
        isFirst || settings.think == 0
        ? 0 : Int64(thinking.exponential(mean: settings.think * 1e9))
      slot.intended = intended + pause
      slot.phase = .thinking
      slots[Int(place)] = slot
      if pause > 0 {
        alarms.insert(LoadAlarm(time: slot.intended, slot: place))
      } else {
        submit(place)
      }
      return
    }
    slots[Int(place)] = nil
    free.append(place)
    measures.open -= 1
    if slot.session.journey == Crowd.joining?.journey { concludeJoin(slot.session.member) }
  }

  /// Takes over what a service says of the account of somebody who joins.
  private func take(_ values: [String?], _ step: LoadStep, of member: UInt32) {
    for (name, value) in zip(Crowd.steps[step.shape].takes, values) {
      switch name {
      case "token": accounts[member] = value
      case "name": supply.names[member] = value
      default: break
      }
    }
  }

  private func submit(_ place: UInt32) {
    slots[Int(place)]?.phase = .asking
    slots[Int(place)]?.isResent = false
    waiting.append(place)
  }

  private func dispatch() {
    while client.hasRoom, let place = waiting.popFirst() {
      guard var slot = slots[Int(place)], let call = map.calls[slot.step.shape] else { continue }
      if !slot.isResent { slot.attempts += 1 }
      slot.started = clock.now()
      slots[Int(place)] = slot
      if slot.isResent {
        measures.steps[slot.step.shape].resent += 1
      } else {
        measures.steps[slot.step.shape].sent += 1
        measures.current.sent += 1
        if slot.attempts > 1 { measures.steps[slot.step.shape].retries += 1 }
      }
      values.removeAll(keepingCapacity: true)
      values.append(accounts[slot.session.member] ?? "")
      values.append(String(slot.session.member))
      values.append("\(keyPrefix)-\(slot.serial)")
      values.append(keyPrefix)
      values.append(contentsOf: slot.step.values)
      client.start(place, at: slot.started, isFresh: slot.isResent) {
        call.write(
          values, host: target.authority, prefix: target.prefix, &scratch, to: &$0)
      }
    }
  }

  // MARK: - Answers

  /// Judges an answer while its body is there.
  private func note(_ place: UInt32, _ end: HTTPClient.End) {
    guard let slot = slots[Int(place)], let call = map.calls[slot.step.shape] else { return }
    switch end {
    case .failed(let kind): ended.append((place, .error(kind), [], nil))
    case .untaken:
      // Once, and as every client of HTTP does it: RFC 9112, section 9.3.1.
      guard call.isRepeatable, !slot.isResent else {
        ended.append((place, .error(.closed), [], nil))
        return
      }
      slots[Int(place)]?.isResent = true
      waiting.prepend(place)
    case .answer(let status, let retryAfter, let body):
      let verdict = call.judge(status, body)
      var values: [String?] = []
      if verdict == .done, !call.takes.isEmpty { values = call.values(in: body) }
      if settings.keepsAcknowledgements, call.keyHeader != nil, verdict == .done {
        measures.acknowledged.append(
          Acknowledgement(serial: slot.serial, digest: Acknowledgement.digest(status, body)))
      }
      ended.append((place, verdict, values, retryAfter))
    }
  }

  private func finishEnded() {
    guard !ended.isEmpty else { return }
    now = clock.now()
    for (place, verdict, values, wait) in ended { finish(place, verdict, values, wait) }
    ended.removeAll(keepingCapacity: true)
  }

  private func finish(
    _ place: UInt32, _ verdict: ServiceCall.Verdict, _ values: [String?], _ wait: Int?
  ) {
    guard let slot = slots[Int(place)] else { return }
    let shape = slot.step.shape
    let latency = now - slot.intended
    switch verdict {
    case .done, .refused:
      measures.answered(
        shape, refused: verdict == .refused, latency: latency, service: now - slot.started,
        inTime: now <= end)
      watch.answered(shape, latency)
      if slot.session.journey == Crowd.joining?.journey {
        take(values, slot.step, of: slot.session.member)
      }
      go(
        on: place, after: LoadAnswer(verdict == .done ? .done : .refused, values), intended: now)
    case .error(let kind):
      measures.failed(shape, kind)
      watch.failed(shape)
      let isRetried = map.calls[shape]?.isRetried(after: kind) ?? false
      guard isRetried, slot.attempts <= settings.retries else {
        measures.gaveUp(shape, after: kind, latency: latency)
        watch.gaveUp(shape, latency)
        go(on: place, after: LoadAnswer(.failed), intended: now)
        return
      }
      // 2, 4, 8, 16, 32 seconds; a service that asks for more time gets it.
      let pause = settings.backOff * pow(2, Double(slot.attempts - 1))
      let asked = wait.map { min(Double($0), 60) } ?? 0
      slots[Int(place)]?.phase = .backingOff(after: kind)
      alarms.insert(LoadAlarm(time: now + Int64(max(pause, asked) * 1e9), slot: place))
    }
  }

  /// - Parameter second: When it ended; the thread may have been late to see it.
  private func finishSecond(_ second: Int64) {
    measures.finishSecond(underWay: client.busy, waiting: waiting.count)
    // What ends while nothing starts any more says nothing about stretches.
    guard second <= end else { return }
    watch.finishSecond(open: watch.looksAtStretches ? open(at: second) : [])
  }

  private var openRequests: [OpenRequest] { open(at: now) }

  /// The requests that are under way, as old as they were at a moment.
  private func open(at moment: Int64) -> [OpenRequest] {
    var open: [OpenRequest] = []
    for case let slot? in slots where slot.phase != .thinking && slot.intended <= moment {
      open.append(OpenRequest(step: slot.step.shape, age: moment - slot.intended))
    }
    return open
  }
}
