extension StudioScript {
  /// What is done besides: finding a value, saving, opening.
  static let tools = """

      // Settings that can be sought: numbers.
      function offer() {
        const before = $('goal-path').value;
        const lists = [];
        const names = new Map(groups.map((group) => [group.path, group.title]));
        const byGroup = new Map();
        for (const row of rows.values()) {
          if (row.control.kind !== 'slider' || row.path === 'seed') continue;
          const key = first.includes(row.path) ? 'What moves the figures most'
            : names.get(row.group);
          if (!byGroup.has(key)) byGroup.set(key, []);
          byGroup.get(key).push(make('option', { value: row.path }, fullName(row)));
        }
        for (const [title, options] of byGroup) {
          const list = make('optgroup', { label: title }, ...options);
          if (title === 'What moves the figures most') lists.unshift(list);
          else lists.push(list);
        }
        $('goal-path').replaceChildren(...lists);
        if (rows.has(before)) $('goal-path').value = before;
        else ends();
        $('save-path').value = $('save-path').value || fileName();
      }

      function fileName() {
        const name = rows.get('name') ? rows.get('name').control.value : 'scenario';
        return name.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+/, '') + '-studio.yaml';
      }

      function ends() {
        const row = rows.get($('goal-path').value);
        if (!row) return;
        $('goal-low').value = text(row.control, row.control.low);
        $('goal-high').value = text(row.control, row.control.high);
      }
      $('goal-path').addEventListener('change', ends);

      let moves = [];
      $('goal').addEventListener('submit', async (event) => {
        event.preventDefault();
        for (const part of ['range', 'condition']) {
          $('goal-' + part + '-error').textContent = '';
        }
        for (const part of ['low', 'high', 'condition']) {
          $('goal-' + part).removeAttribute('aria-invalid');
        }
        try {
          await send();
          await call('POST', '/seek', {
            path: $('goal-path').value, low: $('goal-low').value, high: $('goal-high').value,
            condition: $('goal-condition').value
          });
        } catch (error) {
          if (!error.refusal) { lost(); return; }
          const isCondition = error.refusal.path === 'condition';
          $(isCondition ? 'goal-condition-error' : 'goal-range-error').textContent = error.message;
          const part = isCondition ? 'condition' : error.refusal.path === 'low' ? 'low' : 'high';
          const field = $('goal-' + part);
          field.setAttribute('aria-invalid', 'true');
          field.focus();
        }
      });
      $('goal-cancel').addEventListener('click', () => {
        call('POST', '/seek/cancel', {}).catch(lost);
      });
      $('goal-use').addEventListener('click', () => {
        for (const next of moves) move(next.path, next.value);
      });

      // How far the search is.
      function found(search) {
        const isRunning = Boolean(search) && search.state === 'running';
        // Who began or ended the search by its button stays at the one that takes its place.
        const from = document.activeElement;
        $('goal-cancel').hidden = false;
        if (isRunning && from === $('goal-find')) $('goal-cancel').focus();
        $('goal-find').disabled = isRunning;
        if (!isRunning && from === $('goal-cancel')) $('goal-find').focus();
        $('goal-cancel').hidden = !isRunning;
        moves = search ? search.moves : [];
        $('goal-use').hidden = moves.length === 0;
        const words = search ? search.words : '';
        if ($('goal-words').textContent !== words) $('goal-words').textContent = words;
        $('goal-facts').replaceChildren(...(search ? search.facts : []).flatMap(
          (fact) => [make('dt', {}, fact.label), make('dd', {}, fact.words)]));
      }

      async function save(replace) {
        $('save-replace').hidden = true;
        $('save-words').className = '';
        try {
          await send();
          const saved = await call('POST', '/save', { path: $('save-path').value, replace: replace });
          $('save-words').textContent = 'Saved as ' + saved.path + '.';
        } catch (error) {
          if (!error.refusal) { lost(); return; }
          $('save-words').className = 'error';
          $('save-words').textContent = error.message;
          $('save-replace').hidden = !error.refusal.mayReplace;
          if (error.refusal.mayReplace) $('save-replace').focus();
        }
      }
      $('save').addEventListener('submit', (event) => {
        event.preventDefault();
        save(false);
      });
      $('save-replace').addEventListener('click', () => save(true));
      $('save-path').addEventListener('input', () => {
        $('save-replace').hidden = true;
        $('save-words').textContent = '';
      });

      // The text of a file. One of another encoding is refused, as 'pitboss run' does: its letters
      // would be lost.
      async function textOf(file) {
        function refused(words) {
          const error = new Error(file.name + ': ' + words);
          error.refusal = {};
          return error;
        }
        let bytes;
        try {
          bytes = await file.arrayBuffer();
        } catch (error) { throw refused('cannot be read'); }
        try {
          return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        } catch (error) { throw refused('is not UTF-8; save the file as UTF-8'); }
      }

      $('open').addEventListener('change', async () => {
        const file = $('open').files[0];
        if (!file) return;
        $('open-words').textContent = '';
        try {
          const opened = { name: file.name, text: await textOf(file) };
          await send();
          await call('POST', '/open', opened);
          refused.clear();
          $('search').value = '';
          $('meant').textContent = '';
          await load();
          $('save-path').value = fileName();
        } catch (error) {
          if (error.refusal) $('open-words').textContent = error.message;
          else lost();
        }
        $('open').value = '';
      });

    """
}
