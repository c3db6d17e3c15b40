/// The script of a live page: takes parts as they change and puts them in their places.
///
/// A lost connection is opened again after 2, 4, 8, 16, 32 seconds.
enum LiveScript {
  static let text = """
    (function () {
      'use strict';
      var state = document.getElementById('state');
      var time = document.getElementById('time');
      var address = document.querySelector('main').dataset.events;
      var wait = 2;
      function say(style, text) {
        state.className = 'state ' + style;
        state.textContent = text;
      }
      // What the reader has moved or opened stays as it is, and so does what has the focus.
      function put(box, html) {
        var left = Array.from(box.querySelectorAll('.table'), function (table) {
          return [table.scrollLeft, table.scrollTop];
        });
        var focusable = '[tabindex], a, button, summary';
        var focused = Array.from(box.querySelectorAll(focusable)).indexOf(document.activeElement);
        box.innerHTML = html;
        var again = focused < 0 ? null : box.querySelectorAll(focusable)[focused];
        if (again) again.focus({ preventScroll: true });
        box.querySelectorAll('.table').forEach(function (table, place) {
          if (!left[place]) return;
          table.scrollLeft = left[place][0];
          table.scrollTop = left[place][1];
        });
      }
      // A part waits while somebody has selected some of it, for 20 seconds at most: who copies it has
      // done so by then, and nobody takes an old figure for a new one.
      var late = {};
      function isSelected(box) {
        var selection = document.getSelection();
        return Boolean(selection) && !selection.isCollapsed && selection.rangeCount > 0
          && selection.getRangeAt(0).intersectsNode(box);
      }
      function bring(id, html) {
        var box = document.getElementById(id);
        if (!box) return;
        var since = late[id] ? late[id].since : Date.now();
        delete late[id];
        if (isSelected(box) && Date.now() - since < 20000) late[id] = { html: html, since: since };
        else put(box, html);
      }
      function bringLate() {
        Object.keys(late).forEach(function (id) { bring(id, late[id].html); });
      }
      document.addEventListener('selectionchange', bringLate);
      function listen() {
        var source = new EventSource(address);
        source.onopen = function () {
          wait = 2;
          say('on', 'live');
        };
        source.addEventListener('parts', function (event) {
          var news = JSON.parse(event.data);
          time.textContent = news.time;
          Object.keys(news.parts).forEach(function (id) { bring(id, news.parts[id]); });
          bringLate();
        });
        source.onerror = function () {
          source.close();
          say('off', 'trying again in ' + wait + ' s');
          setTimeout(listen, wait * 1000);
          wait = Math.min(wait * 2, 32);
        };
      }
      listen();
    })();

    """
}
