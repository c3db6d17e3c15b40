/// What live pages look like besides what all pages share.
enum LiveStyle {
  static let text = """
    header { position: sticky; top: 0; z-index: 3; background: var(--panel);
      border-bottom: 1px solid var(--grid); padding: 8px 20px 0; display: grid;
      grid-template-columns: 1fr auto; gap: 0 12px; align-items: baseline; }
    header p { margin: 0; }
    .name { font-weight: 650; }
    .state { font-size: 13px; color: var(--soft); white-space: nowrap; }
    .state::before { content: ""; display: inline-block; width: 8px; height: 8px;
      border-radius: 50%; background: var(--faint); margin-right: 6px; }
    .state.on::before { background: var(--good); }
    .state.off::before { background: var(--bad); }
    nav { grid-column: 1 / -1; display: flex; gap: 2px; overflow-x: auto; margin: 0 -8px; }
    nav a { padding: 8px; text-decoration: none; color: var(--soft); white-space: nowrap;
      border-bottom: 2px solid transparent; }
    nav a:hover { color: var(--text); }
    nav a[aria-current] { color: var(--text); font-weight: 600; border-color: var(--accrual); }
    main { padding-top: 18px; }
    h1 { font-size: 24px; }
    section:empty { display: none; }
    section h2 { margin-bottom: 8px; }
    section .cards { margin: 0; grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); }
    section .card { background: var(--page); border: 0; }
    section .card dd.soft { font-size: 12px; }
    section .card dd.long { font-size: 16px; }
    .card dd.big.good { color: var(--goodText); } .card dd.big.bad { color: var(--bad); }
    .card dd.big.caution { color: var(--cautionText); }
    .lines { position: relative; margin: 0; padding-top: 18px; }
    .lines svg { display: block; width: 100%; height: 180px; overflow: visible;
      border-bottom: 1px solid var(--grid); border-top: 1px solid var(--grid); }
    .lines path { fill: none; stroke: currentColor; stroke-width: 2;
      vector-effect: non-scaling-stroke; stroke-linejoin: round; }
    .lines .top, .lines .bottom { font-size: 12px; color: var(--soft); position: absolute;
      left: 0; }
    .lines .top { top: 0; } .lines .bottom { bottom: 20px; }
    .lines .dates { display: flex; justify-content: space-between; font-size: 12px;
      color: var(--soft); }
    .legend { list-style: none; margin: 8px 0 0; padding: 0; display: flex; flex-wrap: wrap;
      gap: 4px 18px; font-size: 13px; font-variant-numeric: tabular-nums; }
    .legend li::before { content: ""; display: inline-block; width: 14px; height: 3px;
      background: currentColor; margin-right: 6px; vertical-align: middle; }
    .legend li { color: var(--text); }
    .s0 { color: var(--series0); } .s1 { color: var(--series1); } .s2 { color: var(--series2); }
    .s3 { color: var(--series3); } .s4 { color: var(--series4); } .s5 { color: var(--series5); }
    .legend .s0::before { background: var(--series0); }
    .legend .s1::before { background: var(--series1); }
    .legend .s2::before { background: var(--series2); }
    .legend .s3::before { background: var(--series3); }
    .legend .s4::before { background: var(--series4); }
    .legend .s5::before { background: var(--series5); }
    .bars { margin: 0; }
    .bars div { display: grid; grid-template-columns: minmax(7ch, 16ch) 1fr; gap: 10px;
      align-items: center; padding: 3px 0; }
    .bars dt { color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
    .bars dd { margin: 0; padding: 2px 8px; border-radius: 4px; min-height: 1.6em;
      font-variant-numeric: tabular-nums; background: linear-gradient(to right,
      var(--barfill) var(--bar), var(--page) var(--bar)); }
    .gauge { position: relative; padding-bottom: 22px; color: var(--goodText); max-width: 640px; }
    .gauge.caution { color: var(--cautionText); } .gauge.bad { color: var(--bad); }
    .gauge .track { height: 14px; border-radius: 7px; background: var(--page); overflow: hidden; }
    .gauge .track div { height: 100%; background: currentColor; }
    .gauge .mark { position: absolute; top: 0; height: 18px; border-left: 2px solid var(--text);
      padding: 20px 0 0 4px; font-size: 12px; color: var(--soft); line-height: 1; }
    .gauge .mark.before { transform: translateX(-100%); padding: 20px 4px 0 0; border-left: 0;
      border-right: 2px solid var(--text); }
    .heat { display: grid; grid-template-columns: 4ch repeat(24, 1fr); gap: 2px;
      font-size: 12px; color: var(--soft); max-width: 760px; align-items: center; }
    .heat i { aspect-ratio: 1; border-radius: 2px; min-width: 0;
      background: color-mix(in srgb, var(--accrual) var(--heat), var(--page)); }
    .heat small { grid-column: span 6; font-size: 11px; }
    section tbody th { overflow-wrap: break-word; }
    @media (max-width: 640px) {
      section .table th:first-child { min-width: 0; max-width: 45vw; }
      .words thead { display: none; }
      .words tr { display: block; padding: 6px 0; border-bottom: 1px solid var(--grid); }
      .words tr th, .words tr td { display: inline; border: 0; padding: 0 8px 0 0;
        min-width: 0 !important; box-shadow: none !important; position: static !important;
        font-size: 12px; font-weight: 400; color: var(--soft); }
      .words tr td:last-child { display: block; font-size: 15px; color: var(--text); }
      header { padding: 8px 12px 0; }
      nav { font-size: 13px; } nav a { padding: 8px 3px; }
      main { padding: 14px 12px 32px; }
      section .cards { grid-template-columns: 1fr 1fr; gap: 8px; }
      section .card dd.long { font-size: 14px; }
      .heat { gap: 1px; }
      .lines svg { height: 140px; }
    }
    """
}
