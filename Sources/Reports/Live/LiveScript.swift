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
      // What the reader has moved or opened stays as it is.
      function put(box, html) {
        var left = Array.from(box.querySelectorAll('.table'), function (table) {
          return [table.scrollLeft, table.scrollTop];
        });
        box.innerHTML = html;
        box.querySelectorAll('.table').forEach(function (table, place) {
          if (!left[place]) return;
          table.scrollLeft = left[place][0];
          table.scrollTop = left[place][1];
        });
      }
      function listen() {
        var source = new EventSource(address);
        source.onopen = function () {
          wait = 2;
          say('on', 'live');
        };
        source.addEventListener('parts', function (event) {
          var news = JSON.parse(event.data);
          time.textContent = news.time;
          Object.keys(news.parts).forEach(function (id) {
            var box = document.getElementById(id);
            if (box) put(box, news.parts[id]);
          });
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
