/// What the studio looks like besides what all pages share.
enum StudioStyle {
  static let text = """
    header { padding: 12px 20px 0; }
    h1 { font-size: 22px; } h1 small { font-size: 14px; font-weight: 400; color: var(--soft); }
    h3 { margin: 10px 0 0; }
    main { max-width: none; padding: 12px 20px 40px; display: grid; gap: 20px;
      grid-template-columns: minmax(280px, 380px) minmax(0, 1fr); align-items: start; }
    #settings { position: sticky; top: 0; max-height: 100vh; overflow-y: auto;
      padding: 0 8px 24px 4px; scroll-padding-top: 100px; }
    /* What has the focus is not behind what stays in sight. */
    html { scroll-padding-top: 56px; }
    :focus-visible { outline: 3px solid var(--accrual); outline-offset: 2px; }
    #picture:focus { outline: none; }
    .skip { position: absolute; left: -9999px; }
    .skip:focus { left: 8px; top: 8px; background: var(--panel); padding: 8px; z-index: 9; }
    /* In sight wherever the page is scrolled to. */
    #lost { position: fixed; left: 12px; right: 12px; bottom: 12px; z-index: 9; margin: 0;
      border: 1px solid var(--bad); border-left-width: 4px; border-radius: 6px; }
    ::placeholder { color: var(--soft); opacity: 1; }
    .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden;
      clip-path: inset(50%); margin: 0; }
    #both { margin: 0 0 16px; }
    .search { position: sticky; top: 0; z-index: 2; background: var(--page); padding: 4px 0 8px; }
    .search label, form label { font-weight: 600; }
    input, select, button { font: inherit; color: inherit; background: var(--panel);
      border: 1px solid var(--faint); border-radius: 6px; padding: 6px 8px; max-width: 100%; }
    input[type=search], #goal-condition, #goal-path { width: 100%; }
    input[type=range] { padding: 0; accent-color: var(--accrual); flex: 1 1 120px; min-width: 0;
      height: 28px; }
    input[type=checkbox] { width: 22px; height: 22px; accent-color: var(--accrual); }
    input[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }
    button { cursor: pointer; min-height: 36px; } button:hover { border-color: var(--accrual); }
    button.link { border: 0; background: none; color: var(--accrual); padding: 2px 4px;
      min-height: 0; text-decoration: underline; }
    #meant { margin: 4px 0 0; min-height: 1.5em; font-size: 14px; }
    #groups > details, #groups > section { background: var(--panel); margin: 0 0 8px;
      border: 1px solid var(--grid); border-radius: 8px; padding: 8px 12px; }
    #groups summary { font-weight: 600; color: var(--text); padding: 4px 0; }
    #groups details details { border-left: 3px solid var(--grid); padding-left: 10px; }
    .setting { padding: 10px 0; border-top: 1px solid var(--grid); }
    .setting p { margin: 2px 0; font-size: 13px; }
    .setting .name { font-size: 15px; font-weight: 600; display: flex; flex-wrap: wrap;
      gap: 2px 8px; align-items: baseline; }
    .setting .range { color: var(--soft); overflow-wrap: anywhere; }
    .setting .uncertain, .setting .idle { color: var(--cautionText); }
    .setting .path { color: var(--soft); font-size: 11px; }
    .control { display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: center; }
    .control input[type=text] { width: 100%; } .control input.number { width: 13ch; flex: none; }
    .mark { font-size: 11px; font-weight: 500; border-radius: 9px; padding: 0 7px;
      border: 1px solid var(--faint); color: var(--soft); }
    .mark.set { border-color: var(--accrual); color: var(--accrual); }
    .mark.assumed { border-style: dashed; }
    .error { color: var(--bad); font-weight: 600; white-space: pre-line; } .error:empty { display: none; }
    pre.error { white-space: pre-wrap; }
    .bar, .row { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; }
    .bar { position: sticky; top: 0; z-index: 2; background: var(--page); padding: 6px 0; }
    #state { flex: 1; font-variant-numeric: tabular-nums; min-width: 16ch; }
    progress { width: 120px; accent-color: var(--accrual); }
    #sides { display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr); }
    #sides.two { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
    article { background: var(--panel); border: 1px solid var(--grid); border-radius: 10px;
      padding: 14px 16px; min-width: 0; }
    article.old { opacity: .5; }
    article .cards { grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); margin: 8px 0; }
    article .card { background: var(--page); border: 0; }
    article .card dd.big { font-size: 21px; }
    article .card dd.big.large { font-size: 14px; }
    article .card dd { font-size: 13px; }
    .facts { display: grid; grid-template-columns: max-content 1fr; gap: 2px 14px; margin: 0; }
    .facts dt { color: var(--soft); } .facts dd { margin: 0; }
    @media (max-width: 1100px) { #sides.two { grid-template-columns: minmax(0, 1fr); } }
    @media (max-width: 900px) {
      main { grid-template-columns: minmax(250px, 300px) minmax(0, 1fr); gap: 14px;
        padding: 12px 12px 32px; }
    }
    @media (max-width: 700px) {
      main { grid-template-columns: minmax(0, 1fr); }
      #settings { position: static; max-height: 60vh; }
    }
    """
}
