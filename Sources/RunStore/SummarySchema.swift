/// The JSON Schema of `summary.json`, as `pitboss schema summary` prints it.
package enum SummarySchema {
  /// JSON Schema, draft 2020-12.
  package static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Summary of a Pitboss run",
      "description": "summary.json of a run folder, version 1. Amounts named _micro are millionths of a USDT, shares named _bp hundredths of a percent. Whole numbers are exact and may exceed 2^53. Later versions only append keys.",
      "type": "object",
      "required": ["schema_version", "scenario", "seed", "fingerprint", "interrupted", "members", "accepted_scans", "outcomes", "tins_sold", "events", "wall_seconds", "scans_per_second", "peak_memory_bytes", "months", "payouts", "prizes", "tiers", "source", "start", "end", "zone", "affiliates", "pools", "accounts", "files", "description", "refused_under_age", "tins_sold_in_shop", "payout_total", "awards", "threads"],
      "properties": {
        "schema_version": {"const": 1},
        "scenario": {"type": "string"},
        "seed": {"description": "Up to 2^64 - 1.", "$ref": "#/$defs/count"},
        "fingerprint": {"description": "SHA-256 over every row of the run; the same inputs give the same one.", "type": "string", "pattern": "^[0-9a-f]{64}$"},
        "interrupted": {"description": "True when the run was stopped before its end; the figures then cover what was run.", "type": "boolean"},
        "members": {"description": "Members signed up.", "$ref": "#/$defs/count"},
        "accepted_scans": {"$ref": "#/$defs/count"},
        "outcomes": {"description": "Submitted codes by outcome.", "type": "object", "additionalProperties": {"$ref": "#/$defs/count"}},
        "tins_sold": {"$ref": "#/$defs/count"},
        "events": {"description": "Events of the kernel.", "$ref": "#/$defs/count"},
        "wall_seconds": {"type": ["number", "null"], "minimum": 0},
        "scans_per_second": {"description": "Accepted scans by wall time; null when no time was measured.", "type": ["number", "null"], "minimum": 0},
        "peak_memory_bytes": {"$ref": "#/$defs/count"},
        "months": {"description": "One row per local month; the first and the last may be partial.", "type": "array", "items": {"$ref": "#/$defs/month"}},
        "payouts": {"description": "The payout ledger without its total.", "type": "array", "items": {"$ref": "#/$defs/payout"}},
        "prizes": {"type": "array", "items": {"$ref": "#/$defs/prize"}},
        "tiers": {"description": "Members by effective tier at the end.", "$ref": "#/$defs/tiers"},
        "source": {"enum": ["simulation", "history"]},
        "start": {"$ref": "#/$defs/instant"},
        "end": {"description": "Exclusive.", "$ref": "#/$defs/instant"},
        "zone": {"description": "IANA name of the programme's time zone.", "type": "string"},
        "affiliates": {"$ref": "#/$defs/affiliates"},
        "pools": {"description": "One row per weekly affiliate pool.", "type": "array", "items": {"$ref": "#/$defs/pool"}},
        "accounts": {"description": "The ledger; credits are positive and the balances sum to zero.", "type": "array", "items": {"$ref": "#/$defs/account"}},
        "files": {"description": "The other files of the run folder.", "type": "array", "items": {"$ref": "#/$defs/file"}},
        "description": {"description": "The scenario's own words.", "type": "string"},
        "refused_under_age": {"$ref": "#/$defs/count"},
        "tins_sold_in_shop": {"description": "The rest is retail; 0 for a history, which does not tell.", "$ref": "#/$defs/count"},
        "payout_total": {"$ref": "#/$defs/payout"},
        "awards": {"description": "Number of rows of awards.csv.", "$ref": "#/$defs/count"},
        "threads": {"type": "integer", "minimum": 1}
      },
      "$defs": {
        "count": {"type": "integer", "minimum": 0},
        "instant": {"description": "ISO 8601, UTC, microseconds.", "type": "string", "pattern": "^-?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z$"},
        "tiers": {
          "type": "object",
          "required": ["standard", "vip", "high_roller", "whale"],
          "properties": {"standard": {"$ref": "#/$defs/count"}, "vip": {"$ref": "#/$defs/count"}, "high_roller": {"$ref": "#/$defs/count"}, "whale": {"$ref": "#/$defs/count"}}
        },
        "month": {
          "type": "object",
          "required": ["month", "tins_sold", "accepted_scans", "gross_profit_micro", "budget_micro", "spend_cash_micro", "spend_accrual_micro", "utilisation_bp", "status"],
          "properties": {
            "month": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$"},
            "tins_sold": {"$ref": "#/$defs/count"},
            "accepted_scans": {"$ref": "#/$defs/count"},
            "gross_profit_micro": {"type": "integer"},
            "budget_micro": {"type": "integer"},
            "spend_cash_micro": {"type": "integer"},
            "spend_accrual_micro": {"type": "integer"},
            "utilisation_bp": {"description": "Null without a budget.", "type": ["integer", "null"]},
            "status": {"enum": ["Normal", "Warning", "Critical", null]}
          }
        },
        "payout": {
          "type": "object",
          "required": ["type", "count", "total_micro", "share_bp"],
          "properties": {"type": {"type": "string"}, "count": {"$ref": "#/$defs/count"}, "total_micro": {"type": "integer"}, "share_bp": {"type": "integer", "minimum": 0}}
        },
        "prize": {
          "type": "object",
          "required": ["name", "kind", "amount_micro", "every", "required_tier", "allocation", "awarded", "waiting", "next_due", "away"],
          "properties": {
            "name": {"type": "string"},
            "kind": {"enum": ["crypto", "casino", "trip"]},
            "amount_micro": {"type": "integer"},
            "every": {"type": "integer", "minimum": 1},
            "required_tier": {"enum": ["standard", "vip", "high_roller", "whale"]},
            "allocation": {"enum": ["roll_forward", "draw"]},
            "awarded": {"$ref": "#/$defs/count"},
            "waiting": {"$ref": "#/$defs/count"},
            "next_due": {"description": "Global number of the scan at which it next falls due.", "$ref": "#/$defs/count"},
            "away": {"description": "Accepted scans until then.", "$ref": "#/$defs/count"}
          }
        },
        "affiliates": {
          "type": "object",
          "required": ["active", "referred", "chips_issued", "chips_unexpired", "match_paid_micro", "pool_paid_micro", "floors"],
          "properties": {
            "active": {"$ref": "#/$defs/count"},
            "referred": {"$ref": "#/$defs/count"},
            "chips_issued": {"$ref": "#/$defs/count"},
            "chips_unexpired": {"$ref": "#/$defs/count"},
            "match_paid_micro": {"type": "integer"},
            "pool_paid_micro": {"type": "integer"},
            "floors": {"$ref": "#/$defs/tiers"}
          }
        },
        "pool": {
          "type": "object",
          "required": ["time", "pool_micro", "chips", "holders", "paid_micro", "carry_micro"],
          "properties": {"time": {"$ref": "#/$defs/instant"}, "pool_micro": {"type": "integer"}, "chips": {"$ref": "#/$defs/count"}, "holders": {"$ref": "#/$defs/count"}, "paid_micro": {"type": "integer"}, "carry_micro": {"type": "integer"}}
        },
        "account": {
          "type": "object",
          "required": ["account", "balance_micro", "postings"],
          "properties": {"account": {"type": "string"}, "balance_micro": {"type": "integer"}, "postings": {"$ref": "#/$defs/count"}}
        },
        "file": {
          "type": "object",
          "required": ["name", "bytes", "sha256"],
          "properties": {"name": {"type": "string"}, "bytes": {"$ref": "#/$defs/count"}, "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"}}
        }
      }
    }
    """#
}
