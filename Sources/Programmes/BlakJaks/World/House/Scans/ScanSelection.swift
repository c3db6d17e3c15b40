internal import Quantities

extension UnsafeMutableBufferPointer where Element == AcceptedScan {
  /// Puts the first `count` in the total order in front, in any order of their own: selection by
  /// rank, without a sort.
  ///
  /// Source: Hoare 1961, Algorithm 65: Find, doi:10.1145/366622.366647; split at the median of three in
  /// one direction, by Lomuto's scheme, so that no branch depends on the order of two scans.
  ///
  /// - Parameter count: From 0 to all.
  /// - Complexity: O(n) on average; what does not shrink soon is sorted.
  func select(first count: Int) {
    var range = 0..<self.count
    var rounds = 2 * (Int.bitWidth - self.count.leadingZeroBitCount)
    while range.count > 4, range.lowerBound < count, count < range.upperBound {
      guard rounds > 0 else { break }
      rounds -= 1
      let (left, right) = partition(range)
      if count <= left {
        range = range.lowerBound..<left
      } else if count >= right {
        range = right..<range.upperBound
      } else {
        return
      }
    }
    guard range.lowerBound < count, count < range.upperBound else { return }
    sortSpan(range)
  }

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

  /// Puts scans of one minute in the total order.
  ///
  /// They are spread over that minute, so most are at their places when they are put into as many
  /// spans of time as there are scans; what shares a span is put in order by insertion.
  ///
  /// - Complexity: O(n) where times are spread evenly; what crowds into one span is sorted.
  func sortMinute() {
    guard self.count > 16 else { return self[indices].sort(by: AcceptedScan.precedes) }
    let start = AwardMinute.minute(of: self[0].time).microseconds
    // A span is a power of two of microseconds; a minute has less than 2^26 of them.
    let shift = UInt64(26 - Swift.min(Int.bitWidth - self.count.leadingZeroBitCount, 20))
    let spans = Int(UInt64(CellRules.minuteMicros - 1) >> shift) + 1
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: spans + 1) { ends in
      ends.initialize(repeating: 0)
      for scan in self { ends[span(of: scan, from: start, shift) + 1] += 1 }
      for span in 1...spans { ends[span] += ends[span - 1] }
      withUnsafeTemporaryAllocation(of: AcceptedScan.self, capacity: self.count) { before in
        _ = before.initialize(fromContentsOf: self)
        for scan in before {
          let span = span(of: scan, from: start, shift)
          self[Int(ends[span])] = scan
          ends[span] += 1
        }
      }
      // Each span now ends where the next one began.
      var first = 0
      for span in 0..<spans {
        let last = Int(ends[span])
        if last - first > 1 { sortSpan(first..<last) }
        first = last
      }
    }
  }

  @inline(__always)
  private func span(of scan: AcceptedScan, from start: Int64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: UInt64(bitPattern: scan.time.microseconds &- start) >> shift)
  }

  private func sortSpan(_ range: Range<Int>) {
    guard range.count <= 32 else { return self[range].sort(by: AcceptedScan.precedes) }
    for place in range.dropFirst() {
      let scan = self[place]
      var hole = place
      while hole > range.lowerBound, AcceptedScan.precedes(scan, self[hole - 1]) {
        self[hole] = self[hole - 1]
        hole -= 1
      }
      self[hole] = scan
    }
  }

  /// Splits a range of three or more by one of its elements.
  ///
  /// - Returns: Where what comes before that element ends, and where what comes after it begins.
  private func partition(_ range: Range<Int>) -> (Int, Int) {
    let (first, last) = (range.lowerBound, range.upperBound - 1)
    let middle = first + range.count / 2
    if AcceptedScan.precedes(self[middle], self[first]) { swapAt(middle, first) }
    if AcceptedScan.precedes(self[last], self[first]) { swapAt(last, first) }
    if AcceptedScan.precedes(self[last], self[middle]) { swapAt(last, middle) }
    let pivot = self[middle]
    swapAt(middle, last)
    var low = first
    for place in first..<last {
      let scan = self[place]
      // Written in any case and counted where it holds.
      self[place] = self[low]
      self[low] = scan
      low &+= AcceptedScan.isBefore(scan, pivot)
    }
    swapAt(low, last)
    return (low, low + 1)
  }
}
