# To be sourced. 'suites TAG' prints the suites with a tag as 'swift test' selects them:
# Tests/TARGET/…: @Suite(… .tags(… .TAG …) …) struct SUITE, on one line or several.
suites() {
  found=$(find Tests -name '*.swift' -exec awk -v tag="[.]$1[,)]" '
    /^@Suite/ { head = "" }
    { head = head $0 }
    /struct / {
      if (head ~ /@Suite/ && head ~ "tags[(][^)]*" tag) {
        split(FILENAME, path, "/")
        match(head, /struct [A-Za-z0-9]+/)
        print path[2] "[.]" substr(head, RSTART + 7, RLENGTH - 7) "/"
      }
      head = ""
    }' {} + | sort | paste -sd '|' -)
  [ -n "$found" ] || { echo "test: no suite is tagged $1" >&2; exit 1; }
  echo "$found"
}
