internal import Reports

/// The page of the studio: a frame that its script fills with settings and pictures.
package enum StudioPage {
  /// The page.
  ///
  /// - Parameters:
  ///   - token: Goes with whatever the page asks for.
  ///   - hasPlots: Whether plotly.js can be had.
  package static func html(_ settings: StudioSettings, token: String, hasPlots: Bool) -> String {
    let name = HTMLText.escaped(settings.name)
    let plotly = hasPlots ? "<script src=\"/plotly.js?token=\(token)\"></script>\n" : ""
    let notice =
      hasPlots
      ? ""
      : "<p class=\"notice\" role=\"note\">Without plotly.js this page shows tables instead of "
        + "plots. For plots, run Scripts/fetch-plotly and start the studio again.</p>\n"
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>\(name) – Pitboss studio</title>
      <link rel="icon" href="data:,">
      <link rel="stylesheet" href="/style.css?token=\(token)">
      </head>
      <body>
      <a class="skip" href="#picture">Skip to the picture</a>
      <header>
      <h1><span id="name">\(name)</span> <small>Pitboss studio</small></h1>
      <p id="question" class="soft">\(HTMLText.escaped(settings.description))</p>
      <p id="set" class="soft"></p>
      <noscript><p class="notice bad">The studio needs JavaScript, which is off for this page. Without it,
      <span class="code">pitboss project</span> computes the same figures.</p></noscript>
      </header>
      <main>
      <div id="settings" role="region" aria-label="Settings">
      \(search)
      <div id="groups"></div>
      </div>
      <div id="picture" role="region" aria-label="Picture" tabindex="-1">
      \(notice)<p id="said" class="unseen" role="status" aria-live="polite"></p>
      <div class="bar"><progress id="progress" max="64" value="0" aria-label="Replications"></progress>
      <span id="state" class="soft"></span>
      <button id="keep" type="button">Keep as B</button>
      <button id="restore" type="button" hidden>Go back to B</button>
      <button id="drop" type="button" hidden>Forget B</button></div>
      <section id="both" hidden aria-labelledby="both-title">
      <h2 id="both-title">A against B, with the same luck</h2>
      <p id="difference" class="verdict"></p>
      <div id="differs"></div>
      <details><summary>Figures of both</summary><p class="soft">Plain means of the replications that both
      have. The means on the cards are adjusted by control variates, as in 'pitboss project', and may differ a
      little.</p><div id="pairs"></div></details>
      </section>
      <div id="sides">
      <article id="side-a" aria-label="A: the settings on this page"></article>
      <article id="side-b" aria-label="B: what you kept" hidden></article>
      </div>
      \(goal)
      \(files)
      </div>
      </main>
      <p id="lost" class="notice bad" role="alert" hidden></p>
      \(plotly)<script src="/script.js?token=\(token)"></script>
      </body>
      </html>

      """
  }

  private static let search = """
    <div class="search">
    <label for="search">Find a setting</label>
    <input id="search" type="search" autocomplete="off" spellcheck="false"
      placeholder="a word for what you want to change">
    <p id="meant" role="status"></p>
    </div>
    """

  private static let goal = """
    <section aria-labelledby="goal-title">
    <h2 id="goal-title">Find the value that holds a condition</h2>
    <p class="soft">Looks for the largest or smallest value at which the condition is shown to hold,
    as <span class="code">pitboss solve</span> does. Conditions: P(critical) &lt;= 5 %,
    P(warning) &lt;= 20 %, mean(FIGURE) &lt; 1000000, p95(FIGURE) &lt; 1000000.</p>
    <form id="goal">
    <p><label for="goal-path">Setting</label> <select id="goal-path"></select></p>
    <p class="row"><span><label for="goal-low">From</label> <input id="goal-low" size="10"
      aria-describedby="goal-range-error"></span>
    <span><label for="goal-high">to</label> <input id="goal-high" size="10"
      aria-describedby="goal-range-error"></span></p>
    <p id="goal-range-error" class="error" role="alert"></p>
    <p><label for="goal-condition">Condition</label>
    <input id="goal-condition" value="P(critical) &lt;= 5 %"
      aria-describedby="goal-condition-error"></p>
    <p id="goal-condition-error" class="error" role="alert"></p>
    <p><button id="goal-find" type="submit">Find</button>
    <button id="goal-cancel" type="button" hidden>Cancel</button></p>
    </form>
    <p id="goal-words" role="status"></p>
    <dl id="goal-facts" class="facts"></dl>
    <p><button id="goal-use" type="button" hidden>Use this value</button></p>
    </section>
    """

  private static let files = """
    <section aria-labelledby="files-title">
    <h2 id="files-title">Files</h2>
    <form id="save">
    <label for="save-path">Save below the folder of the studio as</label>
    <span class="row"><input id="save-path" size="28" spellcheck="false"
      aria-describedby="save-words"> <button type="submit">Save</button>
    <button id="save-replace" type="button" hidden>Replace it</button></span>
    <p id="save-words" role="status"></p>
    </form>
    <p class="row"><a id="download" download href="/scenario.yaml">Download the scenario</a>
    <a id="report" download href="/report.html">Download the report</a></p>
    <p><label for="open">Open a scenario file</label>
    <input id="open" type="file" accept=".yaml,.yml" aria-describedby="open-words"></p>
    <pre id="open-words" class="error code" role="alert"></pre>
    </section>
    """

  /// The style sheet.
  package static let style = PageStyle.text + "\n" + StudioStyle.text

  /// The script.
  package static let script =
    StudioScript.head + PageScript.drawing + StudioScript.settings + StudioScript.picture
    + StudioScript.tools + StudioScript.tail
}
