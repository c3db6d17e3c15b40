/// Sorting a short run of events in place.
extension RawEventSet {
  /// Sorts `length` events from address `base` on by (time, payload).
  ///
  /// Up to 20 events, or if already in order: insertion. Else one pass of distribution by the
  /// eight highest bits in which the keys differ, and insertion within.
  @inline(__always)
  mutating func sort(_ base: UInt, _ length: Int) {
    if length <= 20 {
      insertionSort(base, length)
    } else {
      distributionSort(base, length)
    }
  }

  @inline(__always)
  func insertionSort(_ base: UInt, _ length: Int) {
    let end = base &+ UInt(bitPattern: length) &* 16
    var next = base &+ 16
    while next < end {
      let event = Self.event(next)
      var hole = next
      while hole > base {
        let previous = Self.event(hole &- 16)
        if !(event < previous) { break }
        Self.put(previous, hole)
        hole &-= 16
      }
      Self.put(event, hole)
      next &+= 16
    }
  }

  /// - Precondition: `length` is at most 256, the size of the scratch array.
  @inline(never)
  private mutating func distributionSort(_ base: UInt, _ length: Int) {
    let end = base &+ UInt(bitPattern: length) &* 16
    let first = Self.event(base)
    var times: UInt64 = 0
    var payloads: UInt64 = 0
    var isSorted = true
    var previous = first
    var address = base &+ 16
    while address < end {
      let event = Self.event(address)
      times |= event.time ^ first.time
      payloads |= event.payload ^ first.payload
      isSorted = isSorted && !(event < previous)
      previous = event
      address &+= 16
    }
    if isSorted { return }
    // Word 0 of an event is its time, word 1 its payload.
    let word = times != 0 ? 0 : 1
    let difference = times != 0 ? times : payloads
    let bits = 64 &- difference.leadingZeroBitCount
    let shift = UInt64(max(0, bits &- 8))
    let counts = UnsafeMutablePointer<UInt16>(
      bitPattern: slots &+ UInt(Layout.counts)
    ).unsafelyUnwrapped
    let scratch = slots &+ UInt(Layout.scratch)
    counts.update(repeating: 0, count: 256)
    var fullest: UInt16 = 0
    address = base
    while address < end {
      let bucket = Int(truncatingIfNeeded: Self.words(address)[word] &>> shift & 255)
      counts[bucket] &+= 1
      fullest = max(fullest, counts[bucket])
      address &+= 16
    }
    var total: UInt16 = 0
    var bucket = 0
    while bucket < 256 {
      let size = counts[bucket]
      counts[bucket] = total
      total &+= size
      bucket &+= 1
    }
    address = base
    while address < end {
      let bucket = Int(truncatingIfNeeded: Self.words(address)[word] &>> shift & 255)
      Self.put(Self.event(address), scratch &+ UInt(counts[bucket]) &* 16)
      counts[bucket] &+= 1
      address &+= 16
    }
    Self.words(base).update(from: Self.words(scratch), count: length &* 2)
    if fullest <= 24 || shift == 0 && word == 1 {
      insertionSort(base, length)
    } else {
      sortBuckets(base, length, word, shift)
    }
  }

  /// Sorts each run of equal bucket number by itself; they are in bucket order already.
  mutating func sortBuckets(_ base: UInt, _ length: Int, _ word: Int, _ shift: UInt64) {
    let end = base &+ UInt(bitPattern: length) &* 16
    var start = base
    while start < end {
      let bucket = Self.words(start)[word] &>> shift
      var stop = start &+ 16
      while stop < end && Self.words(stop)[word] &>> shift == bucket { stop &+= 16 }
      sort(start, Int(bitPattern: (stop &- start) &>> 4))
      start = stop
    }
  }
}
