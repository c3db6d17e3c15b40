extension BlakJaksProgramme {
  /// The calls of `pitboss serve`.
  package static let serviceMap = """
    # How the members of BlakJaks call a service. {name} stands for a value of the step; in a body it
    # is written as in JSON, in a path as in a URL. {token} is the member's bearer token, {load} a name
    # that no other load has.
    headers:
      Authorization: "Bearer {token}"

    # Accounts for the members who will act: made by `prepare`, at most `most` at a time; `take` says
    # where in the answer the number of accounts stands. `read` gets their tokens, `names` how those
    # whom they refer name them.
    members:
      most: 1000
      prepare: {post: /admin/members, key: Idempotency-Key, headers: {Authorization: "Bearer {administrator}"}, body: '{"count": {count}}', take: /members}
      read: {get: "/admin/tokens?from={from}&count={count}", headers: {Authorization: "Bearer {administrator}"}, take: /tokens}
      names: {get: "/admin/members?from={from}&count={count}", headers: {Authorization: "Bearer {administrator}"}, take: /referral_codes}

    # Codes of tins that nobody has scanned.
    codes:
      most: 10000
      prepare: {post: /admin/tins, key: Idempotency-Key, headers: {Authorization: "Bearer {administrator}"}, body: '{"count": {count}}', take: /printed}
      read: {get: "/admin/tins?from={from}&count={count}", headers: {Authorization: "Bearer {administrator}"}, take: /codes}

    # Members who join during the load take `sign_up` and `log_in`. Whoever applies has an account of
    # their own: {applicant} is 0 for the member, and counts those who are refused for their age.
    #
    # `key` names the header that carries the idempotency key. A status under `refused`, or an answer
    # with a value under `refusal`, is what the program should say at times. Any other status that is
    # not under `done`, or an answer without the values under `check`, counts as an error.
    steps:
      sign_up: {post: /auth/signup, key: Idempotency-Key, body: '{"email": "{applicant}.{member}.{load}@members.example", "password": "{load}-{member}", "birth_date": "{birth_date}", "state": "{state}", "referral_code": "{referrer}"}', done: [201], refused: [403, 409], take: {name: /referral_code}}
      log_in: {post: /auth/login, body: '{"email": "{applicant}.{member}.{load}@members.example", "password": "{load}-{member}"}', take: {token: /token}}
      scan: {post: /scans/submit, key: Idempotency-Key, body: '{"code": "{code}"}', done: [200], refusal: {/success: "false"}, refused: [409, 422], take: {tier: /tier_progress/tier}}
      products: {get: /shop/products}
      cart_add: {post: /cart/add, key: Idempotency-Key, body: '{"sku": "{sku}", "tins": {tins}}', done: [200, 201], refused: [409, 422]}
      cart: {get: /cart}
      cart_remove: {delete: "/cart/remove?sku={sku}", key: Idempotency-Key, refused: [404, 409, 422]}
      tax: {post: /tax/estimate, body: '{"tins": {tins}}'}
      order: {post: /orders/create, key: Idempotency-Key, body: '{}', done: [200, 201], refused: [409, 422]}
      me: {get: /users/me, take: {tier: /tier}}
      wallet: {get: /users/me/wallet, take: {available: /available}}
      withdraw: {post: /wallet/withdraw, key: Idempotency-Key, body: '{"amount": {amount}}', refused: [409, 422]}
      transactions: {get: /transactions}
      channels: {get: /social/channels}
      messages: {get: "/social/channels/{channel}/messages", refused: [403]}
      message: {post: "/social/channels/{channel}/messages", key: Idempotency-Key, body: '{"text": "{text}"}', done: [200, 201], refused: [403, 409, 422]}
      insights_overview: {get: /insights/overview}
      insights_treasury: {get: /insights/treasury}
      insights_systems: {get: /insights/systems}
      insights_comps: {get: /insights/comps}
      insights_partners: {get: /insights/partners}
      stream_start: {post: /admin/streams/start, headers: {Authorization: "Bearer {administrator}"}, key: Idempotency-Key, body: '{"title": "{title}"}', refused: [409]}
      stream: {get: /streaming/live}
      stream_end: {post: /admin/streams/end, headers: {Authorization: "Bearer {administrator}"}, key: Idempotency-Key, refused: [409]}

    # Somebody who watches the pages live.
    watch: {get: /insights/events}

    # The service's time, and how many of its seconds are a second.
    clock: {get: /healthz, take: {now: /clock, speed: /speed}}
    """
}
