internal import Quantities

/// Scans of one minute of the clock in spans of time, of which only those are put in order where somebody
/// looks.
///
/// They are spread over that minute, so that a few fall into each span and one pass puts all of them close
/// to their places. Source: Isaac and Singleton 1956, sorting by address calculation,
/// doi:10.1145/320831.320834.
struct ScanSpans {
  /// Where each span ends among the scans.
  private var ends: [Int32] = []
  /// The scans as they came; its memory serves every minute.
  private var before: [AcceptedScan] = []
  /// Places that are known to be in order.
  private var sorted = 0..<0

  /// Up to so many scans are one span.
  private static let fewScans = 16

  /// Puts scans into spans, each of which comes after the one before.
  ///
  /// - Parameter scans: Of one minute of the clock, in any order.
  /// - Complexity: O(scans).
  mutating func spread(_ scans: UnsafeMutableBufferPointer<AcceptedScan>) {
    sorted = 0..<0
    ends.removeAll(keepingCapacity: true)
    guard scans.count > Self.fewScans else { return ends.append(Int32(scans.count)) }
    let start = AwardMinute.minute(of: scans[0].time).microseconds
    // A span is a power of two of microseconds, and holds 4 to 9 scans where they are spread evenly; a
    // minute has less than 2^26 microseconds.
    let bits = Int.bitWidth - scans.count.leadingZeroBitCount
    let shift = UInt64(26 - min(bits - 3, 20))
    let spans = Int(UInt64(CellRules.minuteMicros - 1) >> shift) + 1
    ends.append(contentsOf: repeatElement(0, count: spans + 1))
    before.removeAll(keepingCapacity: true)
    before.append(contentsOf: scans)
    ends.withUnsafeMutableBufferPointer { ends in
      before.withUnsafeBufferPointer { before in
        for scan in before { ends[Self.span(of: scan, from: start, shift) + 1] &+= 1 }
        for span in 1...spans { ends[span] &+= ends[span - 1] }
        // Each span then ends where the next one began.
        for scan in before {
          let span = Self.span(of: scan, from: start, shift)
          scans[Int(ends[span])] = scan
          ends[span] &+= 1
        }
      }
    }
    ends.removeLast()
  }

  @inline(__always)
  private static func span(of scan: AcceptedScan, from start: Int64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: UInt64(bitPattern: scan.time.microseconds &- start) &>> shift)
  }

  /// Sees that the scan at a place is the one of that rank in the total order, and that those before it come
  /// before it.
  ///
  /// - Parameters:
  ///   - scans: As `spread` left them.
  ///   - place: From 0 on.
  /// - Complexity: O(log scans) where they are spread evenly; what crowds into one span is sorted.
  mutating func settle(_ place: Int, of scans: UnsafeMutableBufferPointer<AcceptedScan>) {
    if sorted.contains(place) { return }
    let span = self.span(at: place)
    let range = (span == 0 ? 0 : Int(ends[span - 1]))..<Int(ends[span])
    Self.sort(scans, range)
    // Whoever looks at one place after another extends what is in order.
    let first = sorted.upperBound == range.lowerBound ? sorted.lowerBound : range.lowerBound
    sorted = first..<range.upperBound
  }

  /// Puts all of them in order.
  ///
  /// - Parameter scans: As `spread` left them.
  mutating func settleAll(_ scans: UnsafeMutableBufferPointer<AcceptedScan>) {
    var first = 0
    for end in ends {
      Self.sort(scans, first..<Int(end))
      first = Int(end)
    }
    sorted = 0..<scans.count
  }

  /// The span that holds a place.
  private func span(at place: Int) -> Int {
    var (low, high) = (0, ends.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] > place { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Puts the scans of one span in order, few of them by insertion.
  private static func sort(
    _ scans: UnsafeMutableBufferPointer<AcceptedScan>, _ range: Range<Int>
  ) {
    guard range.count > 1 else { return }
    guard range.count <= 32 else { return scans[range].sort(by: AcceptedScan.precedes) }
    for place in range.dropFirst() {
      let scan = scans[place]
      var hole = place
      while hole > range.lowerBound, AcceptedScan.precedes(scan, scans[hole - 1]) {
        scans[hole] = scans[hole - 1]
        hole -= 1
      }
      scans[hole] = scan
    }
  }
}

extension UnsafeMutableBufferPointer where Element == AcceptedScan {
  /// Puts those that meet a condition in front.
  ///
  /// - Returns: How many there are.
  func gather(_ isFirst: (AcceptedScan) -> Bool) -> Int {
    var found = 0
    for place in indices {
      let scan = self[place]
      // Written in any case and counted where it holds, as a processor would often guess it wrong.
      self[place] = self[found]
      self[found] = scan
      found &+= isFirst(scan) ? 1 : 0
    }
    return found
  }
}
