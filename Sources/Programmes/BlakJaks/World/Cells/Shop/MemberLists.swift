internal import CKernel

/// Short lists of what members of a cell wait for, one a member, most of them empty.
///
/// All of them share one array of links, so that nothing is allocated for a list and none is looked up
/// by a hash. A list begins with what was added last, so that adding looks at nobody else's memory.
struct MemberLists<Element: BitwiseCopyable & Sendable>: Sendable {
  private struct Link: BitwiseCopyable, Sendable {
    var element: Element
    /// The link of the element that was added before, of the same list or of those that are free.
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
      add(element, to: member(element))
    }
  }

  /// Adds an element to a member's list.
  ///
  /// - Complexity: O(1).
  mutating func add(_ element: Element, to member: Int) {
    let link = Link(element: element, next: heads[member])
    guard free != Self.none else {
      heads[member] = UInt32(links.count)
      links.append(link)
      return
    }
    let new = free
    free = links[Int(new)].next
    links[Int(new)] = link
    heads[member] = new
    ask(forLink: free)
  }

  /// Asks for the memory that tells where a member's list begins.
  func ask(for member: Int) {
    heads.withUnsafeBufferPointer { heads in
      if let first = heads.baseAddress { ck_prefetch_far(first + member) }
    }
  }

  /// Asks for the memory of the first element of a member's list.
  func askForFirst(of member: Int) { ask(forLink: heads[member]) }

  /// Asks for the memory of the second element of a member's list, where the first one's has come.
  func askForSecond(of member: Int) {
    guard heads[member] != Self.none else { return }
    ask(forLink: links[Int(heads[member])].next)
  }

  private func ask(forLink link: UInt32) {
    guard link != Self.none else { return }
    links.withUnsafeBufferPointer { links in
      if let base = links.baseAddress { ck_prefetch(base + Int(link)) }
    }
  }

  /// Takes out the element of a member's list that was added first of those for which a condition holds.
  ///
  /// - Parameters:
  ///   - holds: The condition.
  ///   - stays: Is shown each of the other elements.
  /// - Complexity: O(elements of the list).
  mutating func remove(
    of member: Int, where holds: (Element) -> Bool, _ stays: (Element) -> Void
  ) -> Element? {
    var (found, beforeFound) = (Self.none, Self.none)
    var (before, here) = (Self.none, heads[member])
    while here != Self.none {
      let link = links[Int(here)]
      if holds(link.element) {
        if found != Self.none { stays(links[Int(found)].element) }
        (found, beforeFound) = (here, before)
      } else {
        stays(link.element)
      }
      (before, here) = (here, link.next)
    }
    guard found != Self.none else { return nil }
    let link = links[Int(found)]
    if beforeFound == Self.none {
      heads[member] = link.next
    } else {
      links[Int(beforeFound)].next = link.next
    }
    links[Int(found)].next = free
    free = found
    return link.element
  }

  /// A member's elements, in the order in which they were added.
  func elements(of member: Int) -> [Element] {
    var elements: [Element] = []
    var here = heads[member]
    while here != Self.none {
      elements.append(links[Int(here)].element)
      here = links[Int(here)].next
    }
    return elements.reversed()
  }

  /// All elements, member by member.
  var all: [Element] { heads.indices.flatMap { elements(of: $0) } }
}
