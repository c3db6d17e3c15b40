// Goal: the self-exciting process event by event, an oracle for the counts that the product draws.
import EventKernel
import Foundation
import Quantities

/// A self-exciting (Hawkes) process with an exponential kernel, event by event.
///
/// Its rate is the base rate plus, for each earlier event, n β exp(−β age): each event has n direct
/// offspring on average. The excited part of the rate is one number (the recursion of Ozaki 1979,
/// doi:10.1007/BF02480272), and the wait for the next event is the lesser of two waits that are
/// inverted exactly, without thinning.
///
/// Source: Dassios and Zhao 2013, doi:10.1214/ECP.v18-2717
struct HawkesProcess: Sendable {
  /// Branching ratio n, 0 ≤ n < 1.
  let branching: Double
  /// Decay β of the kernel a second.
  let decay: Double
  /// Base rate in events a second from `time` on; may be changed at any time, which makes it
  /// piecewise constant.
  var base: Double {
    didSet { invariant(base >= 0 && base < .infinity, "a base rate is finite and at least 0") }
  }
  /// Seconds up to which the process is known.
  private(set) var time = 0.0
  /// The excited part of the rate at `time`, in events a second.
  private(set) var excitation = 0.0

  /// A process that starts at time 0 without a past.
  ///
  /// - Parameters:
  ///   - base: Events a second, at least 0.
  ///   - branching: From 0, below 1.
  ///   - decay: A second, above 0.
  init(base: Double, branching: Double, decay: Double) {
    invariant(base >= 0 && base < .infinity, "a base rate is finite and at least 0")
    invariant(branching >= 0 && branching < 1, "a branching ratio lies from 0 to below 1")
    invariant(decay > 0 && decay < .infinity, "a decay is finite and above 0")
    self.base = base
    self.branching = branching
    self.decay = decay
  }

  /// Events a second at `time`.
  var rate: Double { base + excitation }

  /// Adds an outside impulse that draws `marks` direct events on average, with the delays of
  /// offspring.
  ///
  /// - Parameters:
  ///   - instant: Has to be `time`: an impulse cannot precede events that were drawn.
  ///   - marks: At least 0.
  mutating func excite(at instant: Double, marks: Double) {
    invariant(instant == time, "an impulse comes at the time that the process has reached")
    invariant(marks >= 0 && marks < .infinity, "an impulse is finite and at least 0")
    excitation += decay * marks
  }

  /// Draws the next event before `end`, or moves to `end` without one.
  ///
  /// - Parameters:
  ///   - end: Seconds; at least `time`.
  ///   - stream: Of this process alone.
  /// - Returns: The event's time; nil when there is none before `end`, and `time` is then `end`.
  /// - Complexity: O(1); two draws.
  mutating func next(before end: Double, _ stream: inout RandomStream) -> Double? {
    invariant(end >= time, "a process does not run backwards")
    let excited = stream.standardExponential()
    let fromBase = stream.standardExponential()
    // The excited rate decays, so that with probability exp(−excitation ÷ β) it brings no event.
    let share = excitation > 0 ? 1 - decay * excited / excitation : 0
    let wait = min(
      share > 0 ? -log(share) / decay : .infinity, base > 0 ? fromBase / base : .infinity)
    guard time + wait < end else {
      excitation *= exp(-decay * (end - time))
      time = end
      return nil
    }
    excitation = excitation * exp(-decay * wait) + branching * decay
    time += wait
    return time
  }
}
