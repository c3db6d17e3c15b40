internal import Quantities

extension UnsafeMutableBufferPointer where Element == AcceptedScan {
  /// Puts the first `count` in the total order in front, in any order of their own: selection by
  /// rank, without a sort.
  ///
  /// Source: Hoare 1961, Algorithm 65: Find, doi:10.1145/366622.366647; by the median of three.
  ///
  /// - Parameter count: From 0 to all.
  /// - Complexity: O(n) on average; what does not shrink soon is sorted.
  func select(first count: Int) {
    var range = 0..<self.count
    var rounds = 2 * (Int.bitWidth - self.count.leadingZeroBitCount)
    while range.count > 12, range.lowerBound < count, count < range.upperBound {
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
    self[range].sort(by: AcceptedScan.precedes)
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
    var (low, high) = (first, last)
    while low <= high {
      while AcceptedScan.precedes(self[low], pivot) { low += 1 }
      while AcceptedScan.precedes(pivot, self[high]) { high -= 1 }
      guard low <= high else { break }
      swapAt(low, high)
      low += 1
      high -= 1
    }
    return (high + 1, low)
  }
}
