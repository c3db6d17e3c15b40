/// What the report of one run shows, beyond what the header of any run says.
package struct RunReport: Sendable {
  /// What a reader must know first, in sentences; may be empty.
  package var lead: String
  /// How large the run was, such as `5,000 members`.
  package var size: String
  package var cards: [ReportCard]
  /// For readers who read no further.
  package var opening: ReportOpening
  package var sections: [ReportSection]
  /// The pages as of the run's end; none for a run without days.
  package var pages: [Page]
  package var pace: ReportPace

  /// The report of one run; see the properties.
  package init(
    lead: String, size: String = "", cards: [ReportCard], opening: ReportOpening,
    sections: [ReportSection],
    pages: [Page], pace: ReportPace
  ) {
    self.lead = lead
    self.size = size
    self.cards = cards
    self.opening = opening
    self.sections = sections
    self.pages = pages
    self.pace = pace
  }
}

/// What a run showed, for a terminal: read in half a minute.
package struct RunSummary: Sendable {
  /// Parts with a blank line between them; empty ones are left out.
  package var parts: [[ReportBlock]]
  /// How large the run was, such as `5,000 members`.
  package var size: String
  package var pace: ReportPace

  /// A summary of parts that are shown one below the other.
  package init(parts: [[ReportBlock]], size: String = "", pace: ReportPace) {
    self.parts = parts
    self.size = size
    self.pace = pace
  }
}

/// What a run's speed is counted in, besides events.
package struct ReportPace: Sendable {
  /// In the plural.
  package var counted: String
  package var count: Int64

  /// A count with the word for what was counted.
  package init(_ counted: String, _ count: Int64) {
    self.counted = counted
    self.count = count
  }
}

/// How a run went, in sentences.
package struct ReportVerdict: Sendable {
  package var text: String
  package var tone: PageTone
  /// What it rests on; may be empty.
  package var reasons: String

  /// A verdict with its reasons.
  package init(text: String, tone: PageTone, reasons: String) {
    self.text = text
    self.tone = tone
    self.reasons = reasons
  }
}

/// The first page about a run: what came out and why.
package struct ReportOpening: Sendable {
  package var verdict: ReportVerdict
  package var cards: [ReportCard]
  package var section: ReportSection

  /// The first page; see the properties.
  package init(verdict: ReportVerdict, cards: [ReportCard], section: ReportSection) {
    self.verdict = verdict
    self.cards = cards
    self.section = section
  }
}

/// A figure to be seen from afar.
package struct ReportCard: Sendable {
  package var name: String
  package var value: String
  /// May be empty.
  package var unit: String
  /// A few words below; may be empty.
  package var note: String
  /// Of the note.
  package var tone: PageTone

  /// A figure in large type; see the properties.
  package init(
    _ name: String, _ value: String, unit: String = "", note: String = "", tone: PageTone = .soft
  ) {
    self.name = name
    self.value = value
    self.unit = unit
    self.note = note
    self.tone = tone
  }
}

/// A part of a report with a heading that links can name.
package struct ReportSection: Sendable {
  /// Unique in its report.
  package var id: String
  package var title: String
  /// Whether it may follow the section before it on the same printed page.
  package var flows: Bool
  package var blocks: [ReportBlock]

  /// A section with its heading; see the properties.
  package init(_ id: String, _ title: String, flows: Bool = false, _ blocks: [ReportBlock]) {
    self.id = id
    self.title = title
    self.flows = flows
    self.blocks = blocks
  }
}

/// A part of a section.
package indirect enum ReportBlock: Sendable {
  case paragraph(String, PageTone = .plain)
  case heading(String)
  case table(ReportTable)
  /// A plot, what it shows in words, and a text that says the same without it.
  case plot(ReportPlot, caption: String, details: [ReportBlock] = [])
  /// What is folded away until it is asked for, and on paper unless it is `printed`.
  case details(String, printed: Bool = false, [ReportBlock])
  /// Two parts side by side.
  case pair([ReportBlock], [ReportBlock])
  /// Figures of several runs with their differences to the first.
  case headlines(HeadlineTable)
}

/// Rows of texts.
package struct ReportTable: Sendable {
  /// The heading of a column; numbers are aligned right.
  package enum Column: Sendable {
    case text(String)
    case number(String)

    /// The heading.
    package var title: String {
      switch self {
      case .text(let title), .number(let title): title
      }
    }

    /// Whether the column holds numbers.
    package var isNumber: Bool {
      switch self {
      case .text: false
      case .number: true
      }
    }
  }

  /// Says what the table holds, for readers who do not see it.
  package var caption: String
  package var columns: [Column]
  /// One cell a column; the first names its row.
  package var rows: [[ReportCell]]
  package var total: [ReportCell]?
  /// Whether it is so long that it scrolls on a screen.
  package var isLong: Bool

  /// A table; see the properties.
  package init(
    _ caption: String, _ columns: [Column], rows: [[ReportCell]], total: [ReportCell]? = nil,
    isLong: Bool = false
  ) {
    self.caption = caption
    self.columns = columns
    self.rows = rows
    self.total = total
    self.isLong = isLong
  }
}

/// One cell of a table.
package struct ReportCell: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, Sendable {
  package var text: String
  package var tone: PageTone
  /// Percent of a full bar that represents the value; nil without a bar.
  package var bar: Double?
  /// A few words below the text; may be empty.
  package var note: String

  /// A cell; see the properties.
  package init(_ text: String, _ tone: PageTone = .plain, bar: Double? = nil, note: String = "") {
    self.text = text
    self.tone = tone
    self.bar = bar
    self.note = note
  }

  /// A cell of that text, without a tone.
  package init(stringLiteral text: String) { self.init(text) }
}
