/// The script of the studio, in the parts that one function is made of.
enum StudioScript {
  /// What all parts use: elements, and calls to the server.
  static let head = """
    (function () {
      'use strict';
      const token = new URL(document.currentScript.src).searchParams.get('token');
      const $ = (id) => document.getElementById(id);
      // An element with attributes; a value of true is an attribute without one, false is none.
      function make(tag, attributes, ...children) {
        const element = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes || {})) {
          if (value === false || value === undefined || value === null) continue;
          element.setAttribute(name, value === true ? '' : value);
        }
        element.append(...children.filter((child) => child !== null && child !== undefined));
        return element;
      }
      // Asks the server; what it refuses is thrown with its words.
      async function call(method, path, body) {
        const options = { method: method, headers: { Authorization: 'Bearer ' + token } };
        if (body !== undefined) {
          options.headers['Content-Type'] = 'application/json';
          options.body = JSON.stringify(body);
        }
        const answer = await fetch(path, options);
        const value = await answer.json();
        if (!answer.ok) {
          const error = new Error(value.message);
          error.refusal = value;
          throw error;
        }
        return value;
      }
      // The state of the settings that this page shows.
      let revision = 0;

    """

  /// Begins.
  static let tail = """

      for (const id of ['download', 'report']) {
        const link = $(id);
        link.href = link.getAttribute('href') + '?token=' + token;
      }
      $('state').textContent = 'Running the first replication';
      load().then(listen);
    })();

    """
}
