/// The style sheet of the page. Its custom properties are also the palette of the plots.
package enum PageStyle {
  /// The rules.
  package static let text = """
    :root {
      --page: #f4f5f7; --panel: #ffffff; --text: #1c2430; --soft: #5b6675; --grid: #dde1e7;
      --accrual: #1d5fc4; --accrualArea: rgba(29,95,196,.2); --cash: #8a3ab9;
      --budget: #7b8694; --budgetArea: rgba(123,134,148,.16);
      --good: #21935a; --caution: #c77d00; --bad: #cc2f3c; --faint: #aab2bd; --bars: #a9c5ec;
      --goodText: #197a49; --cautionText: #925b00;
      --level0: #b4c0cf; --level1: #5b96dd; --level2: #7d55c7; --level3: #e0a21b;
      --series0: #1d5fc4; --series1: #21935a; --series2: #8a3ab9; --series3: #c77d00;
      --series4: #cc2f3c; --series5: #0f8b8d; --bar: 0%; --barfill: #dbe7f8;
    }
    @media (prefers-color-scheme: dark) {
      :root:not([data-theme=light]) {
        --page: #12161c; --panel: #1b2129; --text: #e6eaf0; --soft: #9aa6b5; --grid: #343d49;
        --accrual: #6ea8ff; --accrualArea: rgba(110,168,255,.22); --cash: #c58bf0;
        --budget: #98a4b3;
        --budgetArea: rgba(152,164,179,.18);
        --good: #4cc38a; --caution: #f0ad3d; --bad: #ff6b75; --faint: #5d6875; --bars: #355280;
        --goodText: var(--good); --cautionText: var(--caution);
        --level0: #55616f; --level1: #4d8be0; --level2: #9a74e6; --level3: #f0bb3f;
        --series0: #6ea8ff; --series1: #4cc38a; --series2: #c58bf0; --series3: #f0ad3d;
        --series4: #ff6b75; --series5: #46c5c7; --barfill: #263a57;
      }
    }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--page); color: var(--text);
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
    main { max-width: 1180px; margin: 0 auto; padding: 28px 20px 48px; }
    h1 { font-size: 28px; line-height: 1.2; margin: 0 0 4px; overflow-wrap: anywhere; }
    h2 { font-size: 19px; margin: 0 0 4px; }
    h3 { font-size: 16px; margin: 18px 0 2px; }
    h2, h3, summary { overflow-wrap: anywhere; }
    p { margin: 4px 0 10px; max-width: 90ch; overflow-wrap: anywhere; }
    .soft, figcaption { color: var(--soft); }
    .lead { font-size: 17px; margin-top: 12px; }
    section { background: var(--panel); border: 1px solid var(--grid); border-radius: 10px;
      padding: 18px 20px; margin-top: 16px; }
    figure { margin: 6px 0 0; }
    figure + figure, .table + figure { margin-top: 22px; }
    .plot { width: 100%; }
    .notice { border-left: 4px solid var(--caution); background: var(--panel);
      padding: 10px 14px; margin: 12px 0; }
    .notice.bad { border-color: var(--bad); font-weight: 600; }
    .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(250px, 1fr));
      gap: 12px; margin: 18px 0 0; }
    .card { background: var(--panel); border: 1px solid var(--grid); border-radius: 10px;
      padding: 12px 16px; }
    .card dt { color: var(--soft); font-size: 13px; }
    .card dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
    .card dd.big { font-size: 25px; font-weight: 650; line-height: 1.25; }
    .card dd.big.large { font-size: 18px; }
    .card dd.big small { font-size: 13px; font-weight: 400; color: var(--soft); }
    .contents { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 16px 0 0; font-size: 14px; }
    .contents a { text-decoration: none; } .contents a:hover { text-decoration: underline; }
    section { scroll-margin-top: 8px; }
    .table { overflow: auto; margin-top: 8px; }
    .table.tall { max-height: 420px; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    caption { position: absolute; width: 1px; height: 1px; overflow: hidden;
      clip-path: inset(50%); }
    th, td { padding: 5px 10px; text-align: left; border-bottom: 1px solid var(--grid);
      vertical-align: top; }
    thead th { color: var(--soft); font-weight: 500; font-size: 13px; position: sticky; top: 0;
      background: var(--panel); vertical-align: bottom; }
    tbody th { font-weight: 500; overflow-wrap: anywhere; min-width: 13ch; }
    tfoot th, tfoot td { font-weight: 650; border-bottom: 0;
      border-top: 2px solid var(--grid); }
    td small, th small { display: block; color: var(--soft); font-weight: 400; font-size: 12px;
      overflow-wrap: break-word; }
    .n { text-align: right; white-space: nowrap; }
    thead .n { white-space: normal; }
    td[style] { background: linear-gradient(to left, var(--barfill) var(--bar),
      transparent var(--bar)); }
    .good { color: var(--goodText); font-weight: 600; }
    .caution { color: var(--cautionText); font-weight: 600; }
    .bad { color: var(--bad); font-weight: 600; }
    .verdict { font-size: 18px; font-weight: 600; border-left: 5px solid var(--budget);
      padding: 2px 0 2px 12px; margin: 14px 0 8px; max-width: none; }
    .verdict.good { border-color: var(--good); color: var(--text); }
    .verdict.caution { border-color: var(--caution); color: var(--text); }
    .verdict.bad { border-color: var(--bad); color: var(--text); }
    .code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 13px;
      overflow-wrap: anywhere; }
    pre.code { overflow-x: auto; }
    details { margin-top: 10px; }
    summary { cursor: pointer; color: var(--accrual); }
    a { color: var(--accrual); }
    /* plotly.js gives the pressed button a fixed light color. */
    .updatemenu-item-rect[style*="244, 250, 255"] { fill: var(--barfill) !important; }
    @media (max-width: 640px) {
      section { padding: 14px 12px; }
      /* The first column says what a row is; it stays while the others scroll. */
      .table th:first-child { position: sticky; left: 0; z-index: 1; background: var(--panel);
        min-width: 14ch; max-width: 38vw; box-shadow: inset -1px 0 var(--grid); }
      .table thead th:first-child { z-index: 2; }
      .table th[colspan]:first-child { position: static; max-width: none; }
      th, td { padding: 5px 8px; }
      td:not(.n) { min-width: 14ch; }
      .code { min-width: 16ch; }
      .cards { grid-template-columns: repeat(2, minmax(0, 1fr)); }
      .card { padding: 10px 12px; }
      .card dd.big { font-size: 20px; }
      .card dd.big.large { font-size: 13px; }
    }
    @media print {
      /* Bars, heat maps and the keys of lines are backgrounds. */
      * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      body { background: #fff; font-size: 12px; }
      main { max-width: none; padding: 0; }
      section, .card { border-color: #ccc; }
      figure, .plot, tr, .card { break-inside: avoid; }
      pre.code { white-space: pre-wrap; overflow-wrap: anywhere; }
      h2, h3, figcaption, summary, thead { break-after: avoid; }
      .table, .table.tall { max-height: none; overflow: visible; }
      .modebar, .contents { display: none; }
    }
    """
}
