extension StudioScript {
  /// Settings: what is drawn, what is moved, and what is searched for.
  static let settings = """

      // Rows by path, and what shows each of them.
      let rows = new Map();
      let groups = [];
      let first = [];
      let widgets = new Map();
      let number = 0;
      const marks = {
        given: 'a fact of the product brief', sourced: 'from a source',
        assumed: 'nobody has measured it', set: 'set by the file or on this page'
      };

      // These say what a run is, not what was put into it.
      const unnamed = ['name', 'description', 'seed', 'programme', 'expect', 'sources'];

      // Moves wait while one is under way; of one setting only the last is sent.
      const waiting = new Map();
      // Values that were not taken stay in their fields with the reason.
      const refused = new Map();
      let sending = null;
      function move(path, value) {
        waiting.set(path, value);
        send();
      }

      // Sends what waits. Whatever rests on it waits for its end.
      function send() {
        if (!sending) sending = sendAll().finally(() => { sending = null; });
        return sending;
      }

      // What the studio does not answer to stays, to be sent once it answers again.
      async function sendAll() {
        let isLost = false;
        while (waiting.size > 0 && !isLost) {
          const [next, text] = waiting.entries().next().value;
          waiting.delete(next);
          try {
            took(await call('POST', '/move', { path: next, value: text }));
            // Another program's settings may have the same paths.
            if (next === 'programme') refused.clear();
            refused.delete(next);
            refuse(next, '');
          } catch (error) {
            if (error.refusal) {
              refused.set(next, { text: text, message: error.message });
              refuse(next, error.message);
            } else {
              if (!waiting.has(next)) waiting.set(next, text);
              isLost = true;
              lost();
            }
          }
        }
      }

      function took(moved) {
        // Where another page moved something in between, this one has not heard of it yet.
        const isBehind = moved.revision > revision + 1;
        reach(moved.revision);
        if (moved.isWhole || isBehind) return load();
        for (const row of moved.rows) {
          rows.set(row.path, row);
          for (const widget of widgets.get(row.path) || []) widget.update(row);
        }
        named();
      }

      // Shows why a value is not taken, at each field of the setting.
      function refuse(path, message) {
        for (const widget of widgets.get(path) || []) widget.refuse(message);
      }

      // Numbers as people write them, with no more digits than the step has.
      function text(control, value) {
        const low = control.least === undefined ? value : Math.max(control.least, value);
        const near = control.most === undefined ? low : Math.min(control.most, low);
        return String(Number(near.toPrecision(12))) + control.suffix;
      }

      // Long whole numbers in groups of three.
      function grouped(words) {
        return words.replace(/(?<![\\d.])\\d{5,}(?!\\d)/g,
          (digits) => digits.replace(/\\B(?=(\\d{3})+$)/g, ','));
      }

      // An entry of a list is doubled or taken away, by its place: one at a time, as another entry may have that
      // place before the page has heard of it.
      let isChangingList = false;
      async function changeList(entry, isCopied, problem) {
        if (isChangingList) return;
        isChangingList = true;
        try {
          await send();
          await took(await call('POST', '/list', { entry: entry, copy: isCopied }));
        } catch (error) {
          if (error.refusal) problem.textContent = error.message;
          else lost();
        } finally { isChangingList = false; }
      }

      function listTools(row) {
        const problem = make('p', { class: 'error', role: 'alert' });
        const buttons = [['Copy this entry', true], ['Remove this entry', false]].map(([words, isCopied]) => {
          const button = make('button', { type: 'button' }, words);
          button.setAttribute('aria-label', words + ', ' + row.entry);
          button.dataset.list = row.listEntry + (isCopied ? ' copy' : ' remove');
          button.addEventListener('click', () => changeList(row.listEntry, isCopied, problem));
          return button;
        });
        if (row.changedList) {
          const button = make('button', { type: 'button', class: 'link' }, 'Undo changes of this list');
          button.setAttribute('aria-label', 'Undo changes of ' + row.changedList);
          button.addEventListener('click', () => move(row.changedList, null));
          buttons.push(button);
        }
        return make('div', { class: 'setting' }, make('p', {}, ...buttons), problem);
      }

      function widget(row, title) {
        const id = 's' + (number += 1);
        const control = row.control;
        // What the slider counts in: its unit stays while somebody has it, whatever unit the value is shown in.
        let counted = control;
        let latest = control;
        let isMoved = false;
        const name = make('label', { for: id }, title || row.label);
        const mark = make('span', { class: 'mark' });
        const undo = make('button', { type: 'button', class: 'link' }, 'Undo');
        undo.setAttribute('aria-label', 'Undo ' + row.path);
        const range = make('p', { class: 'range', id: id + 'r' });
        const error = make('p', { class: 'error', id: id + 'e', role: 'alert' });
        const drawn = make('p', { class: 'range uncertain' });
        const idle = make('p', { class: 'range idle', id: id + 'i' });
        const box = make('div', { class: 'control' });
        const about = { id: id, 'data-path': row.path, 'aria-describedby': id + 'r ' + id + 'e ' + id + 'i' };
        let field;
        let slider = null;
        if (control.kind === 'flag' || control.kind === 'group') {
          field = make('input', Object.assign({ type: 'checkbox' }, about));
          field.addEventListener('change', () => {
            const words = control.kind === 'flag' ? ['true', 'false'] : ['on', 'none'];
            move(row.path, words[field.checked ? 0 : 1]);
          });
        } else if (control.kind === 'choice') {
          field = make('select', about, ...control.words.map(
            (word) => make('option', { value: word }, word.replaceAll('_', ' '))));
          field.addEventListener('change', () => move(row.path, field.value));
        } else {
          field = make('input', Object.assign({
            type: control.kind === 'date' ? 'date' : 'text', autocomplete: 'off',
            class: control.kind === 'slider' ? 'number' : false
          }, about));
          field.addEventListener('change', () => move(row.path, field.value));
        }
        if (control.kind === 'slider') {
          slider = make('input', {
            type: 'range', 'data-slider': row.path, 'aria-label': (title || row.label) + ', slider',
            'aria-describedby': id + 'r'
          });
          slider.addEventListener('input', () => {
            field.value = text(counted, Number(slider.value));
            slider.setAttribute('aria-valuetext', field.value);
            move(row.path, field.value);
          });
          slider.addEventListener('blur', () => count(latest));
          box.append(slider);
        }
        box.append(field);
        undo.addEventListener('click', () => {
          if (refused.delete(row.path)) {
            // What was not taken goes, from all fields; the value in force stays.
            refuse(row.path, '');
            for (const widget of widgets.get(row.path) || []) widget.update(rows.get(row.path));
          } else move(row.path, null);
          field.focus();
        });
        const element = make('div', { class: 'setting' },
          make('p', { class: 'name' }, name, mark, undo),
          make('p', {}, row.doc), box, range, error,
          row.assumption ? make('p', { class: 'range' }, row.assumption) : null, drawn, idle,
          make('p', { class: 'path code' }, row.path));
        function count(control) {
          counted = control;
          slider.min = control.low;
          slider.max = control.high;
          slider.step = control.step;
          slider.value = control.number;
        }
        const own = {
          element: element,
          update: (news) => {
            const now = news.control;
            latest = now;
            mark.textContent = news.mark;
            mark.className = 'mark ' + news.mark;
            mark.title = marks[news.mark] || '';
            isMoved = news.isMoved;
            undo.hidden = !isMoved && !refused.has(row.path);
            drawn.textContent = news.uncertain || '';
            drawn.hidden = !news.uncertain;
            idle.textContent = news.idle || '';
            idle.hidden = !news.idle;
            range.textContent = (news.unit && now.kind !== 'flag' ? news.unit + ' ' : '') +
              (now.kind === 'flag' || now.kind === 'group' || now.kind === 'choice'
                ? '' : 'Takes ' + grouped(now.wanted) + '.');
            if (field.type === 'checkbox') {
              field.checked = now.value === 'true' || now.value === 'on';
            } else if (!waiting.has(row.path)
              && (document.activeElement !== field || waiting.size === 0)) {
              // Where a later move of it still waits, the field shows that one.
              field.value = now.value;
            }
            // A slider under somebody's hand is not moved.
            if (slider && document.activeElement !== slider) count(now);
            if (slider) slider.setAttribute('aria-valuetext', now.value);
            if (refused.has(row.path)) own.refuse(refused.get(row.path).message);
          },
          refuse: (message) => {
            error.textContent = message && message + '\\nIt stays ' + latest.value + '.';
            undo.hidden = !isMoved && !message;
            if (message) field.setAttribute('aria-invalid', 'true');
            else field.removeAttribute('aria-invalid');
          }
        };
        if (!widgets.has(row.path)) widgets.set(row.path, []);
        widgets.get(row.path).push(own);
        own.update(row);
        if (refused.has(row.path)) {
          const before = refused.get(row.path);
          if (field.type !== 'checkbox' && before.text !== null) field.value = before.text;
          own.refuse(before.message);
        }
        return element;
      }

      // What a setting is called away from its group.
      function fullName(row) {
        const near = row.entry ? row.entry.replace(/^\\d+: /, '')
          : (groups.find((group) => group.path === row.group) || { title: '' }).title.split(': ').pop();
        if (!near || near === 'Scenario') return row.label;
        return near.charAt(0).toUpperCase() + near.slice(1) + ': ' +
          row.label.charAt(0).toLowerCase() + row.label.slice(1);
      }

      // The settings of a group, those of a list's entry folded away under its name.
      function fill(box, paths, isMixed) {
        let entry = null;
        let inner = null;
        for (const path of paths) {
          const row = rows.get(path);
          if (!row) continue;
          if (!row.entry || isMixed) {
            box.append(widget(row, isMixed ? fullName(row) : null));
            continue;
          }
          if (row.entry !== entry) {
            entry = row.entry;
            inner = make('details', {}, make('summary', {}, entry));
            if (row.listEntry) inner.append(listTools(row));
            box.append(inner);
          }
          inner.append(widget(row));
        }
      }

      function fold(title, doc, paths, isMixed, isOpen) {
        const box = make('details', {}, make('summary', {}, title), make('p', { class: 'soft' }, doc));
        let isFilled = false;
        function open() {
          if (isFilled) return;
          isFilled = true;
          fill(box, paths, isMixed);
        }
        box.addEventListener('toggle', () => { if (box.open) open(); });
        if (isOpen) {
          open();
          box.open = true;
        }
        return box;
      }

      function draw() {
        const focused = document.activeElement && document.activeElement.dataset.path;
        const open = new Set(Array.from(
          $('groups').querySelectorAll(':scope > details[open] > summary'), (part) => part.textContent));
        const inner = new Set(Array.from(
          $('groups').querySelectorAll('details details[open] > summary'), (part) => part.textContent));
        const list = document.activeElement && document.activeElement.dataset.list;
        const around = list && Array.from(document.querySelectorAll('[data-list]'), (button) => button.dataset.list);
        widgets = new Map();
        const isFirst = open.size === 0;
        const boxes = [];
        if (first.length > 0) {
          const title = 'What moves the figures most';
          boxes.push(fold(title, 'As the program says.', first, true, isFirst || open.has(title)));
        }
        const unknown = Array.from(rows.values()).filter((row) => row.uncertain);
        if (unknown.length > 0) {
          const title = 'What is uncertain';
          const doc = 'Drawn anew in each replication. A value that you set is certain; Undo draws it again.';
          boxes.push(fold(title, doc, unknown.map((row) => row.path), true, isFirst || open.has(title)));
        }
        for (const group of groups) {
          const paths = Array.from(rows.values()).filter((row) => row.group === group.path)
            .map((row) => row.path);
          boxes.push(fold(group.title, group.doc, paths, false, open.has(group.title)));
        }
        $('groups').replaceChildren(...boxes);
        for (const part of $('groups').querySelectorAll('details details')) {
          part.open = inner.has(part.firstChild.textContent);
        }
        function again(key, value) {
          return value && document.querySelector('[data-' + key + '="' + CSS.escape(value) + '"]');
        }
        const same = again('path', focused) || again('list', list);
        if (same) same.focus();
        else if (list) {
          // The entry is gone: the one before it, or what is first in its place.
          const left = around.slice(0, around.indexOf(list)).reverse().concat(around)
            .map((name) => again('list', name)).find((button) => button && button.offsetParent);
          const near = left || $('groups').querySelector('summary');
          if (near) near.focus();
        }
      }

      function named() {
        const name = rows.get('name');
        if (name) $('name').textContent = name.control.value;
        const question = rows.get('description');
        if (question) {
          $('question').textContent = question.control.value === 'null' ? '' : question.control.value;
        }
        // As the head of a run names them, so that nobody takes the description for what is run.
        const set = Array.from(rows.values())
          .filter((row) => row.mark === 'set' && !unnamed.includes(row.path));
        const words = set.slice(0, 6).map((row) => row.path + ' ' + row.control.value);
        if (set.length > words.length) words.push('and ' + (set.length - words.length) + ' more');
        $('set').textContent = words.length > 0 ? 'Set here: ' + words.join(', ') : '';
      }

      async function load() {
        const settings = await call('GET', '/settings');
        reach(settings.revision);
        groups = settings.groups;
        first = settings.first;
        rows = new Map(settings.rows.map((row) => [row.path, row]));
        for (const path of refused.keys()) if (!rows.has(path)) refused.delete(path);
        if ($('search').value.trim()) await search();
        else draw();
        named();
        offer();
      }

      // The search: settings that have all words, or what was probably meant.
      let searched = 0;
      async function search() {
        const words = $('search').value.trim();
        const mine = (searched += 1);
        if (!words) {
          $('meant').textContent = '';
          draw();
          return;
        }
        const found = await call('GET', '/find?q=' + encodeURIComponent(words));
        if (mine !== searched) return;
        const focused = document.activeElement && document.activeElement.dataset.path;
        $('meant').replaceChildren();
        if (found.paths.length > 0) {
          const count = found.paths.length;
          $('meant').textContent = count + (count === 1 ? ' setting' : ' settings') +
            (count > 40 ? ', the first 40 here' : '');
        } else if (found.meant) {
          const button = make('button', { type: 'button', class: 'link' }, found.meant);
          button.addEventListener('click', () => {
            $('search').value = found.meant;
            $('search').focus();
            search();
          });
          $('meant').append('Nothing is called that. Did you mean ', button, '?');
        } else {
          $('meant').textContent = 'Nothing is called that.';
        }
        widgets = new Map();
        const box = make('section', { 'aria-label': 'Settings found' });
        fill(box, found.paths.slice(0, 40), true);
        $('groups').replaceChildren(...(found.paths.length > 0 ? [box] : []));
        const again = focused && document.querySelector('[data-path="' + CSS.escape(focused) + '"]');
        if (again) again.focus();
      }
      let searchTimer = null;
      $('search').addEventListener('input', () => {
        clearTimeout(searchTimer);
        searchTimer = setTimeout(search, 150);
      });

    """
}
