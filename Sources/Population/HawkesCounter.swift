package import EventKernel
internal import Quantities

/// Counts the events of a Hawkes process window by window, without drawing each of them.
///
/// Generation by generation (the cluster form of Hawkes and Oakes 1974, doi:10.2307/3212693):
/// immigrants, their Poisson many children, those children's children and so on until nobody is
/// left. Of each generation's children a binomial part falls into the window; the others are
/// carried and fall into a later one, which their exponential delays, being memoryless, allow
/// exactly.
///
/// Exact: the number of all descendants in law, so the rate and the long-run variance; the mean of
/// every window's count. Approximate: siblings are placed independently, although a parent late in
/// the window makes all its children late. That moves a little variance to covariance of
/// neighboring windows: of a window's own at branching ratio 0.5 about 3 % where it is 6 ÷ decay
/// long, and less where it is longer or shorter.
package struct HawkesCounter: Sendable {
  /// Branching ratio n, 0 ≤ n ≤ 0.95.
  package let branching: Double
  /// Children to come after the last window, each after an exponential delay from its end.
  package private(set) var carried = 0

  /// A process without a past, or with what it carries.
  ///
  /// - Parameter branching: From 0 to 0.95; beyond, generations die out too slowly.
  package init(branching: Double, carried: Int = 0) {
    invariant(branching >= 0 && branching <= 0.95, "a branching ratio must be from 0 to 0.95")
    self.branching = branching
    self.carried = carried
  }

  /// Counts the events of the next window.
  ///
  /// - Parameters:
  ///   - stay: Of the window's length and the kernel's decay.
  ///   - immigrants: Events of the window that nothing inside the process caused, uniform in it.
  ///   - excited: Direct events of outside impulses that come uniformly in the window; each event
  ///     follows its impulse with an offspring's delay.
  ///   - stream: Of this process alone.
  /// - Returns: All events inside the window, the immigrants among them.
  /// - Complexity: O(log(events) ÷ log(1 ÷ n)) draws.
  package mutating func window(
    _ stay: HawkesStay, immigrants: Int, excited: Int = 0, _ stream: inout RandomStream
  ) -> Int {
    invariant(immigrants >= 0 && excited >= 0, "events are counted from 0")
    let arrived = stream.binomial(carried, stay.fromCarried[0])
    var late = carried - arrived
    var total = immigrants + arrived
    var uniform = immigrants
    var delayed = arrived
    var joining = excited
    var generation = 1
    while uniform + delayed + joining > 0 {
      let row = min(generation, HawkesStay.generations - 1)
      let children = offspring(of: uniform, &stream) + joining
      uniform = stream.binomial(children, stay.fromUniform[row])
      let lateChildren = offspring(of: delayed, &stream)
      delayed = stream.binomial(lateChildren, stay.fromCarried[row])
      late += children - uniform + lateChildren - delayed
      total += uniform + delayed
      joining = 0
      generation += 1
      invariant(generation < 100_000, "generations of answers must die out")
    }
    carried = late
    return total
  }

  private func offspring(of parents: Int, _ stream: inout RandomStream) -> Int {
    parents > 0 ? stream.poisson(mean: branching * Double(parents)) : 0
  }
}
