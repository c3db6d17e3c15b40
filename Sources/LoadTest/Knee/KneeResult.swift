/// What a search for the knee of a service has shown, beside what its queueing model says.
package struct KneeResult: Sendable {
  /// One rate, measured and predicted.
  package struct Row: Sendable {
    package var point: KneeSearch.Point
    /// Answers a second that were offered.
    package var requests: Double
    /// Nil where the service does not tell what its writer does.
    package var prediction: WriterModel.Prediction?
    /// Whether the model was fitted to it.
    package var isFitted: Bool
  }

  /// A model whose knee is so many times the measured one, or that part of it, explains it badly.
  package static let tolerance = 1.5
  /// Simulated seconds of a prediction.
  private static let simulated = 20.0

  package let conditions: [LoadThreshold]
  /// Of this machine.
  package let processors: Int
  package let search: KneeSearch
  /// In the order in which they were measured.
  package let rows: [Row]
  package let law: ScalabilityLaw?
  /// Windows that were offered and answered anything in their time, from which the law is fitted.
  package let answeringWindows: Int
  package let model: WriterModel?
  /// Sessions a second at which the model ceases to meet the conditions; nil without a model, or where
  /// a condition is of something that it does not predict.
  package let predictedKnee: Double?
  /// What an audit of the service's folder found; nil where none was made.
  package var audit: LoadAudit?
  /// Requests of a session, on average.
  package let requestsPerSession: Double

  /// - Parameters:
  ///   - processors: Of this machine, which a service that does not say how many it may use is taken to
  ///     run on.
  ///   - seed: Of the simulated arrivals.
  /// - Complexity: That of some dozen simulated windows.
  package init(
    _ search: KneeSearch, _ conditions: [LoadThreshold], processors: Int, seed: UInt64
  ) {
    self.search = search
    self.conditions = conditions
    self.processors = processors
    // Of a service that is gone nothing has been measured.
    let usable = search.points.filter(\.tellsAnswers)
    // What a session asks for is known from rates that were not offered in time, too.
    let counted = usable.isEmpty ? search.points : usable
    let sessions = counted.reduce(0) { $0 + $1.measures.sessions.reduce(0, +) }
    let requests = counted.reduce(0) { $0 + $1.measures.total.answered }
    let perSession = sessions > 0 && requests > 0 ? Double(requests) / Double(sessions) : 1
    requestsPerSession = perSession
    // A window whose answers all came after it says nothing of how many it answers a second.
    let answering = usable.filter { $0.throughput > 0 }
    answeringWindows = answering.count
    law = ScalabilityLaw(
      answering.map { point in
        let total = point.measures.total
        // Little's law: so many are there at once.
        return (point.throughput * total.service.mean / 1e9, point.throughput)
      })
    // The growth shows what a request costs; what comes after it, whether that explains the knee.
    let isFitted = search.points.map { point in
      point.tellsAnswers && point.phase == .growth && WriterModel.isFitted(to: point)
    }
    let model = WriterModel(
      zip(search.points, isFitted).filter(\.1).map(\.0), processors: processors)
    self.model = model
    rows = zip(search.points, isFitted).map { point, isFitted in
      Row(
        point: point, requests: point.rate * perSession,
        prediction: model.map {
          $0.predict(rate: point.rate * perSession, seconds: Self.simulated, seed: seed)
        }, isFitted: model != nil && isFitted)
    }
    predictedKnee = model.flatMap {
      Self.knee(of: $0, conditions, perSession: perSession, seed: seed)
    }
  }

  /// Why the model does not explain what was measured, a sentence each without its period.
  package var modelDoubts: [String] {
    guard let model else { return [] }
    var doubts: [String] = []
    // Least squares would have them negative.
    for (seconds, name) in [(model.batch, "a batch"), (model.request, "a request")]
    where seconds < 1e-9 {
      doubts.append("what the writer takes for \(name) could not be told from the fitted rates")
    }
    if let predictedKnee, let knee = search.knee {
      let ratio = predictedKnee / knee
      // Where the measured knee is only known to be above, more is no contradiction.
      let isAbove = search.end == .found && ratio > Self.tolerance
      if isAbove || ratio < 1 / Self.tolerance {
        doubts.append(
          "its knee is not within a factor of \(Self.tolerance) of the measured one, so something "
            + "gives first that it does not know")
      }
    }
    return doubts
  }

  /// The rate up to which the model meets the conditions.
  private static func knee(
    of model: WriterModel, _ conditions: [LoadThreshold], perSession: Double, seed: UInt64
  ) -> Double? {
    let isPredicted = conditions.allSatisfy { condition in
      guard condition.step == nil else { return false }
      if case .percentile(let percent) = condition.metric { return percent == 50 || percent == 99 }
      return true
    }
    func isMet(_ rate: Double) -> Bool {
      let prediction = model.predict(rate: rate, seconds: 5, seed: seed)
      return conditions.allSatisfy { condition in
        switch condition.metric {
        case .percentile(let percent):
          condition.isMet(by: (percent == 50 ? prediction.median : prediction.p99) * 1e9)
        case .errors: true
        case .rate: condition.isMet(by: prediction.throughput)
        }
      }
    }
    let asked = conditions.contains {
      if case .percentile = $0.metric { return true }
      return false
    }
    guard asked, isPredicted, model.capacity.isFinite else { return nil }
    var (low, high) = (model.capacity / 1_000, model.capacity * 1.2)
    guard isMet(low), !isMet(high) else { return nil }
    while high / low > 1.01 {
      let middle = (low * high).squareRoot()
      if isMet(middle) { low = middle } else { high = middle }
    }
    return low / perSession
  }
}
