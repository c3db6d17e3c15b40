/// The script of the page: draws the plots in the colors of the page's style.
package enum PageScript {
  /// Functions that draw a `PlotSpec` with plotly.js, for the scripts of all pages: `drawPlot(box,
  /// spec, width)`, where a width in pixels is that of paper.
  package static let drawing = """
      // Colors in the descriptions are names after '@@'.
      function themed(value, style) {
        if (typeof value === 'string') {
          return value.startsWith('@@')
            ? style.getPropertyValue('--' + value.slice(2)).trim() || value : value;
        }
        if (Array.isArray(value)) return value.map((part) => themed(part, style));
        if (value === null || typeof value !== 'object') return value;
        const out = {};
        for (const key of Object.keys(value)) out[key] = themed(value[key], style);
        return out;
      }
      function axis(own, style) {
        const grid = style.getPropertyValue('--grid').trim();
        // Where a plot asks for it, the line of zero stands out.
        const zero = own.zeroline ? style.getPropertyValue('--text').trim() : grid;
        return Object.assign({ gridcolor: grid, linecolor: grid, zerolinecolor: zero }, own);
      }
      // With a width, in pixels, the plot is drawn for paper.
      function drawPlot(box, spec, width) {
        const style = getComputedStyle(document.documentElement);
        const text = style.getPropertyValue('--text').trim();
        const own = themed(spec.layout, style);
        for (const key of Object.keys(own)) {
          if (/^[xy]axis/.test(key)) own[key] = axis(own[key], style);
        }
        // On a phone dates are few and upright, and panels one below the other.
        const isNarrow = !width && box.clientWidth < 520;
        if (isNarrow) {
          for (const key of Object.keys(own)) {
            if (/^xaxis/.test(key) && own[key].type === 'date') {
              Object.assign(own[key], { tickangle: 0, nticks: 3 });
            }
          }
          if (own.grid && own.grid.columns === 2) {
            const rows = (own.annotations || []).length;
            own.grid = Object.assign({}, own.grid, { rows: rows, columns: 1, ygap: 0.5 });
            own.height = 90 + 170 * rows;
          }
        }
        const layout = Object.assign({
          paper_bgcolor: 'rgba(0,0,0,0)', plot_bgcolor: 'rgba(0,0,0,0)',
          font: { family: 'system-ui, sans-serif', size: width ? 11 : 13, color: text },
          width: width, autosize: !width,
          margin: { l: 64, r: 16, t: 36, b: 40 },
          legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom' },
          modebar: {
            bgcolor: 'rgba(0,0,0,0)', color: style.getPropertyValue('--faint').trim(),
            activecolor: text
          },
          hoverlabel: {
            bgcolor: style.getPropertyValue('--panel').trim(), font: { color: text }
          },
        }, own);
        if (width && layout.height) {
          layout.height = Math.round(layout.height * (layout.height > 500 ? 0.68 : 0.8));
        }
        const isNew = !box.on;
        return Plotly.react(box, themed(spec.data, style), layout, {
          responsive: true, displaylogo: false,
          // On a narrow plot the buttons would cover the legend.
          displayModeBar: box.clientWidth < 520 ? false : 'hover',
          // Figures of a program stay on this machine: nothing offers to send them away.
          showSendToCloud: false, plotlyServerURL: '',
          modeBarButtonsToRemove: [
            'sendChartToCloud', 'select2d', 'lasso2d', 'autoScale2d'
          ],
        }).then(() => {
          if (isNew) box.on('plotly_afterplot', () => declutter(box));
          declutter(box);
        });
      }
      // A name at a point that would cover an earlier one, or leave the plot, is left to the pointer.
      function declutter(box) {
        const edge = box.getBoundingClientRect();
        const kept = [];
        for (const name of box.querySelectorAll('.textpoint text')) {
          name.style.visibility = '';
          const place = name.getBoundingClientRect();
          const covers = (other) => place.left < other.right && other.left < place.right
            && place.top < other.bottom && other.top < place.bottom;
          if (place.left < edge.left || place.right > edge.right || kept.some(covers)) {
            name.style.visibility = 'hidden';
          } else {
            kept.push(place);
          }
        }
      }
    """

  static let text = """
    (function () {
      'use strict';
      const specs = JSON.parse(document.getElementById('plots').textContent);
      const boxes = specs.map((spec) => document.getElementById(spec.id));
      if (typeof Plotly === 'undefined') {
        for (const box of boxes) {
          box.className = 'notice';
          const table = box.parentElement.querySelector('#' + box.id + ' ~ details') ||
            box.parentElement.querySelector('details');
          box.textContent = 'The plot needs plotly.js, which could not be loaded.' +
            (table ? ' The figures are in the table below.' : '');
          if (table) table.open = true;
        }
        return;
      }
    \(drawing)
      const root = document.documentElement;
      function draw(width) {
        specs.forEach((spec, index) => { drawPlot(boxes[index], spec, width); });
      }
      // Paper is light and of a fixed width, and what is folded away would be missing on it.
      let opened = [];
      function toPaper() {
        root.dataset.theme = 'light';
        opened = Array.from(document.querySelectorAll('details.print:not([open])'));
        opened.forEach((part) => { part.open = true; });
        draw(Number(root.dataset.paperWidth));
      }
      function toScreen() {
        delete root.dataset.theme;
        opened.forEach((part) => { part.open = false; });
        draw();
      }
      // Headless printing asks for the paper layout from the start.
      if (location.hash === '#print') {
        toPaper();
        return;
      }
      draw();
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => draw());
      addEventListener('beforeprint', toPaper);
      addEventListener('afterprint', toScreen);
    })();
    """
}
