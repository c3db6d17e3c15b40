extension StudioScript {
  /// The picture: what replications say so far, of one variant or of two.
  static let picture = """

      const hasPlots = typeof Plotly !== 'undefined';
      // The plots that are drawn, to draw them again in other colors.
      const drawn = new Map();
      let said = -1;
      // The newest revision that settings or a picture were of, and the one that the results are of. These
      // two alone say what is outdated: a picture may come before the answer to the move that led to it.
      let newest = 0;
      let shown = 0;

      // The page has the settings of a revision.
      function reach(news) {
        revision = news;
        hear(news);
      }

      // Results of an earlier revision than the newest are outdated.
      function hear(news) {
        newest = Math.max(newest, news);
        if (shown === newest) return;
        $('side-a').classList.add('old');
        $('state').textContent = 'Running the first replication';
        $('progress').value = 0;
        said = -1;
      }

      function lost() {
        $('lost').textContent = 'The studio does not answer. '
          + 'Start it again with pitboss studio, and open the address that it prints.';
        $('lost').hidden = false;
      }

      function cards(list) {
        return make('dl', { class: 'cards' }, ...list.map((card) => make('div', { class: 'card' },
          make('dt', {}, card.name),
          make('dd', { class: card.value.length > 12 ? 'big large' : 'big' }, card.value + ' ', make('small', {}, card.unit)),
          card.note ? make('dd', { class: card.tone }, card.note) : null)));
      }

      function table(caption, heads, lines) {
        return make('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': caption },
          make('table', {}, make('caption', {}, caption),
            make('thead', {}, make('tr', {}, ...heads.map(
              (head) => make('th', { scope: 'col' }, head)))),
            make('tbody', {}, ...lines.map((line) => make('tr', {}, ...line.map(
              (cell, place) => make(place === 0 ? 'th' : 'td', place === 0 ? { scope: 'row' } : {},
                cell)))))));
      }

      // One variant. Its plots stay in place and move, all else is made again.
      function side(box, key, title, side) {
        const picture = side.picture;
        if (!box.firstChild) {
          box.append(make('h2', {}), make('p', { class: 'verdict' }), make('div', {}),
            make('div', {}), make('details', { open: !hasPlots }, make('summary', {}, 'Months as a table')));
        }
        const [heading, verdict, figures, plots, months] = box.children;
        heading.textContent = title + side.name;
        if (side.failure) {
          verdict.textContent = side.failure;
          verdict.className = 'verdict bad';
        }
        if (!picture) {
          // Figures of earlier settings are not those of settings that cannot be computed.
          if (side.failure) {
            figures.replaceChildren();
            plots.replaceChildren();
            months.replaceChildren(months.firstChild);
          }
          return;
        }
        if (!side.failure) {
          verdict.textContent = picture.verdict;
          verdict.className = 'verdict ' + picture.tone;
        }
        verdict.id = 'verdict-' + key;
        box.dataset.count = picture.count;
        figures.replaceChildren(cards(picture.cards));
        const isOpen = months.open;
        months.replaceChildren(months.firstChild, table('Months',
          ['Month', 'Budget', 'Used', 'Warning or worse', 'Critical'],
          picture.months.map((m) => [m.label, m.budget, m.used, m.warning, m.critical])));
        months.open = isOpen;
        if (!hasPlots) return;
        if (plots.children.length !== picture.plots.length) {
          plots.replaceChildren(...picture.plots.map((plot) => make('div', {},
            make('h3', {}, plot.title), make('p', { class: 'soft' }, plot.text),
            make('div', { class: 'plot', role: 'img', 'aria-label': plot.title,
              id: plot.spec.id + '-' + key }))));
        }
        picture.plots.forEach((plot, place) => {
          const target = plots.children[place].lastChild;
          drawn.set(target.id, plot.spec);
          drawPlot(target, plot.spec);
        });
      }

      function compare(comparison) {
        $('both').hidden = !comparison;
        if (!comparison) return;
        $('difference').textContent = comparison.headline;
        $('differs').replaceChildren(comparison.settings.length === 0
          ? make('p', { class: 'soft' }, 'No setting differs yet: move one.')
          : table('What differs', ['Setting', 'A', 'B'],
            comparison.settings.map((row) => [row.path, row.a, row.b])));
        $('pairs').replaceChildren(comparison.rows.length === 0 ? ''
          : table('Figures of both', ['Figure', 'A', 'B', 'A − B', ''],
            comparison.rows.map((r) => [r.title, r.a, r.b, r.difference, r.verdict])));
      }

      function show(picture) {
        if (picture.revision < newest) return;
        const a = picture.a.picture;
        if (a || picture.a.failure) {
          shown = picture.revision;
          $('side-a').classList.remove('old');
        }
        hear(picture.revision);
        const count = a ? a.count : 0;
        $('progress').max = picture.limit;
        $('progress').value = count;
        $('keep').disabled = !a;
        $('restore').hidden = $('drop').hidden = !picture.b;
        $('sides').classList.toggle('two', Boolean(picture.b));
        side($('side-a'), 'a', picture.b ? 'A: ' : '', picture.a);
        $('side-b').hidden = !picture.b;
        if (picture.b) side($('side-b'), 'b', 'B: ', picture.b);
        // With another seed B has no replications yet, and shows those of before.
        $('side-b').classList.toggle('old', Boolean(picture.b) && !picture.b.picture && !picture.b.failure);
        compare(picture.comparison);
        let state = count + ' of ' + picture.limit + ' replications';
        if (!a) state = picture.a.failure ? 'Stopped' : 'Running the first replication';
        else if (picture.isRunning) state += ', sharpening';
        $('state').textContent = state;
        document.body.dataset.shown = shown;
        // Read out once it is there and once it is done, not with every replication between.
        const level = !a ? -1 : picture.isRunning ? 0 : 1;
        if (level > said) {
          said = level;
          $('said').textContent = a.verdict + ' ' + a.cards.map(
            (card) => card.name + ': ' + card.value + ' ' + card.unit + ', ' + card.note).join('. ');
        }
        found(picture.search);
      }

      async function listen() {
        let version = -1;
        for (;;) {
          try {
            const picture = await call('GET', '/picture?after=' + version);
            $('lost').hidden = true;
            if (waiting.size > 0 && !sending) await send();
            // Somebody moved a setting elsewhere.
            if (picture.revision > revision && !sending) await load();
            if (picture.version !== version) {
              version = picture.version;
              show(picture);
            } else if (document.hidden) {
              await new Promise((done) => setTimeout(done, 500));
            }
          } catch (error) {
            if (error instanceof TypeError || error.refusal || error instanceof SyntaxError) {
              lost();
              version = -1;
            } else { throw error; }
            await new Promise((done) => setTimeout(done, 2000));
          }
        }
      }
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
        for (const [id, spec] of drawn) if ($(id)) drawPlot($(id), spec);
      });
      for (const [id, path] of [['keep', '/keep'], ['drop', '/drop'], ['restore', '/restore']]) {
        $(id).addEventListener('click', async () => {
          try {
            await send();
            await call('POST', path, {});
            if (id === 'restore') {
              refused.clear();
              await load();
            }
            if (id === 'drop') $('keep').focus();
          } catch (error) { lost(); }
        });
      }

    """
}
