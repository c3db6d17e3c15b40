extension BrokenHistory {
  /// Every way in which a history file can be wrong.
  static let all: [BrokenHistory] = [
    BrokenHistory(
      "An empty file is refused",
      """

      """,
      says:
        """
        t.csv: is empty; write the header time,member,event,tins,other and rows below it
        """),
    BrokenHistory(
      "A history without rows is refused",
      """
      time,member,event,tins,other

      """,
      says:
        """
        t.csv:1: no rows follow the header; write at least one
        """),
    BrokenHistory(
      "A wrong header is refused",
      """
      time;member;event;tins;other
      2026-01-01,a,scan,1,

      """,
      says:
        """
        t.csv:1: the header is 'time;member;event;tins;other'; write \
        time,member,event,tins,other
        """),
    BrokenHistory(
      "A missing header is refused",
      """
      2026-01-01,a,scan,1,

      """,
      says:
        """
        t.csv:1: the header is '2026-01-01,a,scan,1,'; write time,member,event,tins,other
        """),
    BrokenHistory(
      "The header of another program's histories is told from a mistake",
      """
      time,member,event,amount,other
      2026-01-01,a,order,10,

      """,
      says:
        """
        t.csv:1: the header is that of a history of EMBERA; take a scenario of that program, or \
        'calibrate' with --programme embera
        """),
    BrokenHistory(
      "A row of four fields is refused",
      """
      time,member,event,tins,other
      2026-01-01,a,scan,1

      """,
      says:
        """
        t.csv:2: has 4 fields; write 5: time,member,event,tins,other
        """),
    BrokenHistory(
      "A row of six fields is refused",
      """
      time,member,event,tins,other
      2026-01-01,a,scan,1,,

      """,
      says:
        """
        t.csv:2: has 6 fields; write 5: time,member,event,tins,other
        """),
    BrokenHistory(
      "A date that does not exist is no time",
      """
      time,member,event,tins,other
      2026-02-30,a,scan,1,

      """,
      says:
        """
        t.csv:2: '2026-02-30' is not a time; write ISO 8601, as in 2026-01-31 or \
        2026-01-31T20:15:00Z
        """),
    BrokenHistory(
      "A time of another spelling is refused",
      """
      time,member,event,tins,other
      01/02/2026,a,scan,1,
      2026-01-01T25:00,a,scan,1,

      """,
      says:
        """
        t.csv:2: '01/02/2026' is not a time; write ISO 8601, as in 2026-01-31 or \
        2026-01-31T20:15:00Z
        t.csv:3: '2026-01-01T25:00' is not a time; write ISO 8601, as in 2026-01-31 or \
        2026-01-31T20:15:00Z
        """),
    BrokenHistory(
      "A year that nobody means is out of range, and no mistake of spelling",
      """
      time,member,event,tins,other
      9999-12-31,a,scan,1,
      2300-12-31T10:00:00Z,a,scan,1,
      1850-01-01,a,scan,1,

      """,
      says:
        """
        t.csv:2: '9999-12-31' is out of range; write times from 1970 to 2200
        t.csv:3: '2300-12-31T10:00:00Z' is out of range; write times from 1970 to 2200
        t.csv:4: '1850-01-01' is out of range; write times from 1970 to 2200
        """),
    BrokenHistory(
      "A time before 1970 is refused, whatever happens then",
      """
      time,member,event,tins,other
      1969-12-31T23:59:59,a,signup,,
      1950-06-01,a,purchase,1,
      1970-01-01T04:59:59Z,a,scan,1,
      1900-01-01T00:00:00Z,a,refer,,b
      1970-01-01,a,scan,1,
      1970-01-01T05:00:00Z,a,scan,1,

      """,
      says:
        """
        t.csv:2: '1969-12-31T23:59:59' is before 1970; write times from 1970-01-01 on
        t.csv:3: '1950-06-01' is before 1970; write times from 1970-01-01 on
        t.csv:4: '1970-01-01T04:59:59Z' is before 1970; write times from 1970-01-01 on
        t.csv:5: '1900-01-01T00:00:00Z' is before 1970; write times from 1970-01-01 on
        """),
    BrokenHistory(
      "An empty member is refused",
      """
      time,member,event,tins,other
      2026-01-01,,scan,1,

      """,
      says:
        """
        t.csv:2: member is empty; write the member's name or number
        """),
    BrokenHistory(
      "An unknown event near a known one is named with it",
      """
      time,member,event,tins,other
      2026-01-01,a,scann,1,

      """,
      says:
        """
        t.csv:2: unknown event 'scann'; did you mean 'scan'?
        """),
    BrokenHistory(
      "An unknown event near nothing lists the known ones",
      """
      time,member,event,tins,other
      2026-01-01,a,redeem,1,

      """,
      says:
        """
        t.csv:2: unknown event 'redeem'; write one of signup, purchase, scan, refer
        """),
    BrokenHistory(
      "An event is written in lower case",
      """
      time,member,event,tins,other
      2026-01-01,a,SCAN,1,

      """,
      says:
        """
        t.csv:2: unknown event 'SCAN'; did you mean 'scan'?
        """),
    BrokenHistory(
      "No tins, fewer than none and parts of tins are refused",
      """
      time,member,event,tins,other
      2026-01-01,a,scan,0,
      2026-01-01,a,scan,-1,
      2026-01-01,a,purchase,1.5,

      """,
      says:
        """
        t.csv:2: tins is '0'; write a whole number from 1 to 1000000, or nothing for 1
        t.csv:3: tins is '-1'; write a whole number from 1 to 1000000, or nothing for 1
        t.csv:4: tins is '1.5'; write a whole number from 1 to 1000000, or nothing for 1
        """),
    BrokenHistory(
      "More than a million tins a row are refused",
      """
      time,member,event,tins,other
      2026-01-01,a,purchase,1000000,
      2026-01-01,a,purchase,1000001,
      2026-01-01,a,purchase,99999999999999999999,

      """,
      says:
        """
        t.csv:3: tins is '1000001'; write a whole number from 1 to 1000000, or nothing for 1
        t.csv:4: tins is '99999999999999999999'; write a whole number from 1 to 1000000, or \
        nothing for 1
        """),
    BrokenHistory(
      "A sign-up and a referral have no tins",
      """
      time,member,event,tins,other
      2026-01-01,a,signup,2,
      2026-01-01,a,refer,3,b

      """,
      says:
        """
        t.csv:2: tins is '2' on a signup row; leave it empty
        t.csv:3: tins is '3' on a refer row; leave it empty
        """),
    BrokenHistory(
      "A referral names who referred",
      """
      time,member,event,tins,other
      2026-01-01,a,refer,,

      """,
      says:
        """
        t.csv:2: other is empty on a refer row; name the referring member
        """),
    BrokenHistory(
      "Only a referral names another",
      """
      time,member,event,tins,other
      2026-01-01,a,scan,1,b

      """,
      says:
        """
        t.csv:2: other is 'b' on a scan row; leave it empty
        """),
    BrokenHistory(
      "Nobody refers himself",
      """
      time,member,event,tins,other
      2026-01-01,a,refer,,a

      """,
      says:
        """
        t.csv:2: 'a' refers itself; name another member as other
        """),
    BrokenHistory(
      "A quote that is never closed is refused where it opens",
      """
      time,member,event,tins,other
      2026-01-01,a,scan,1,
      2026-01-01,"a,scan,1,
      2026-01-02,b,scan,1,

      """,
      says:
        """
        t.csv:3: a quote is opened and never closed; close it
        """),
    BrokenHistory(
      "A quote inside a plain field is refused",
      """
      time,member,event,tins,other
      2026-01-01,a"b,scan,1,
      2026-01-01,a,scan,x,

      """,
      says:
        """
        t.csv:2: there is a quote inside a field; put the whole field in quotes and double the \
        quote
        t.csv:3: tins is 'x'; write a whole number from 1 to 1000000, or nothing for 1
        """),
    BrokenHistory(
      "Text behind a closing quote is refused",
      """
      time,member,event,tins,other
      2026-01-01,"a"b,scan,1,

      """,
      says:
        """
        t.csv:2: there is text after a closing quote; double the quotes that belong to the field
        """),
    BrokenHistory(
      "A NUL byte is refused on its line",
      """
      time,member,event,tins,other
      2026-01-01,a,scan,1,
      2026-01-01,a\0b,scan,1,

      """,
      says:
        """
        t.csv:3: has a NUL byte; save the file as text in UTF-8
        """),
    BrokenHistory(
      "A blank line between rows is refused",
      """
      time,member,event,tins,other
      2026-01-01,a,scan,1,

      2026-01-01,a,scan,1,

      """,
      says:
        """
        t.csv:3: is blank; remove the line
        """),
    BrokenHistory(
      "Lines are counted through fields of several lines",
      """
      time,member,event,tins,other
      2026-01-01,"a
      b",scan,1,
      2026-01-01,c,scan,x,

      """,
      says:
        """
        t.csv:4: tins is 'x'; write a whole number from 1 to 1000000, or nothing for 1
        """),
    BrokenHistory(
      "Everything wrong with a row is told at once",
      """
      time,member,event,tins,other
      today,,scan,none,b

      """,
      says:
        """
        t.csv:2: 'today' is not a time; write ISO 8601, as in 2026-01-31 or 2026-01-31T20:15:00Z
        t.csv:2: member is empty; write the member's name or number
        t.csv:2: tins is 'none'; write a whole number from 1 to 1000000, or nothing for 1
        t.csv:2: other is 'b' on a scan row; leave it empty
        """),
    BrokenHistory(
      "A carriage return alone ends no line",
      """
      time,member,event,tins,other\r2026-01-01,a,scan,1,\r
      """,
      says:
        """
        t.csv:1: the header is 'time,member,event,tins,other 2026-01-01,a,scan,1,'; write \
        time,member,event,tins,other
        """),
  ]
}
