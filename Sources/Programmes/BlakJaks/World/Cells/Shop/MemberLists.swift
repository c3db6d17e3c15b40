internal import CKernel

/// Short lists of what members of a cell wait for, one a member, most of them empty.
///
/// All of them share one array of links, so that nothing is allocated for a list and none is looked up
/// by a hash.
struct MemberLists<Element: BitwiseCopyable & Sendable>: Sendable {
  private struct Link: BitwiseCopyable, Sendable {
    var element: Element
    /// The link after it, of the same list or of those that are free.
    var next: UInt32
  }

  private static var none: UInt32 { .max }

  private var links: [Link] = []
  private var free = MemberLists.none
  /// The first link of each list.
  private var heads: [UInt32]

  /// Empty lists.
  ///
  /// - Parameter members: How many; 0 where none is ever added to.
  init(members: Int) { heads = Array(repeating: Self.none, count: members) }

  /// Lists that were saved: see `all`.
  ///
  /// - Parameter member: Whose list an element is of; one that is none of the members' is left out.
  init(_ elements: [Element], members: Int, _ member: (Element) -> Int) {
    self.init(members: members)
    for element in elements where heads.indices.contains(member(element)) {
      append(element, of: member(element))
    }
  }

  /// Adds an element at the end of a member's list.
  ///
  /// - Complexity: O(elements of the list).
  mutating func append(_ element: Element, of member: Int) {
    let new: UInt32
    if free == Self.none {
      new = UInt32(links.count)
      links.append(Link(element: element, next: Self.none))
    } else {
      new = free
      free = links[Int(new)].next
      links[Int(new)] = Link(element: element, next: Self.none)
    }
    var last = heads[member]
    guard last != Self.none else {
      heads[member] = new
      return
    }
    while links[Int(last)].next != Self.none { last = links[Int(last)].next }
    links[Int(last)].next = new
  }

  /// Asks for the memory in which a member's list begins.
  func ask(for member: Int) {
    heads.withUnsafeBufferPointer { heads in
      if let first = heads.baseAddress { ck_prefetch(first + member) }
    }
  }

  /// Takes the first element of a member's list out for which a condition holds.
  ///
  /// - Complexity: O(elements of the list).
  mutating func remove(of member: Int, where holds: (Element) -> Bool) -> Element? {
    var (before, here) = (Self.none, heads[member])
    while here != Self.none {
      let link = links[Int(here)]
      if holds(link.element) {
        if before == Self.none {
          heads[member] = link.next
        } else {
          links[Int(before)].next = link.next
        }
        links[Int(here)].next = free
        free = here
        return link.element
      }
      (before, here) = (here, link.next)
    }
    return nil
  }

  /// Visits a member's elements in their order.
  func forEach(of member: Int, _ body: (Element) -> Void) {
    var here = heads[member]
    while here != Self.none {
      body(links[Int(here)].element)
      here = links[Int(here)].next
    }
  }

  /// All elements, member by member.
  var all: [Element] {
    var all: [Element] = []
    for member in heads.indices { forEach(of: member) { all.append($0) } }
    return all
  }
}
