// The schema of app.sqlite, and its later changes; forward only. `PRAGMA user_version` holds the version.

/** The last version of the pre-release schema, whose files are moved aside (core/database/app-database.ts). */
export const lastPreRelease = 17;

/** The tables of version 18. It never changes after the first release. */
const schema = `
  -- The body is the last column, so that listing callbacks does not read the bodies' pages. headers is a JSON array of alternating
  -- names and values, as in node:http; flags are those of core/receiver/requests/received-callback.ts.
  CREATE TABLE callbacks (
    id INTEGER PRIMARY KEY,
    received_at INTEGER NOT NULL,
    method TEXT NOT NULL,
    target TEXT NOT NULL,
    http_version TEXT NOT NULL,
    remote_address TEXT NOT NULL,
    answered_status INTEGER NOT NULL,
    flags INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    monitor_id TEXT,
    headers TEXT NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  CREATE INDEX callbacks_by_monitor ON callbacks (monitor_id, id) WHERE monitor_id IS NOT NULL;
  -- The single row avoids count(*) over a million rows.
  CREATE TABLE callback_counters (newest_id INTEGER NOT NULL, total INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;
  INSERT INTO callback_counters (newest_id, total, bytes) VALUES (0, 0, 0);

  -- Data about callbacks is in separate tables, so that storing a callback costs no more.
  CREATE TABLE callback_notes (callback_id INTEGER PRIMARY KEY, note TEXT NOT NULL) STRICT;
  -- Pending deletions, whose callbacks are hidden.
  CREATE TABLE callback_deletions (callback_id INTEGER PRIMARY KEY, deletion TEXT NOT NULL) STRICT;
  -- Requests made from callbacks.
  CREATE TABLE callback_sends (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    callback_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    took_ms REAL NOT NULL,
    method TEXT NOT NULL,
    url TEXT NOT NULL,
    headers TEXT NOT NULL,
    outcome TEXT NOT NULL
  ) STRICT;
  CREATE INDEX callback_sends_by_callback ON callback_sends (callback_id, id);
  CREATE TABLE endpoint_callbacks (
    callback_id INTEGER PRIMARY KEY,
    endpoint_id TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX endpoint_callbacks_by_endpoint ON endpoint_callbacks (endpoint_id, callback_id);
  CREATE TABLE endpoint_counters (
    endpoint_id TEXT PRIMARY KEY,
    total INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Place of a long body (core/receiver/records/body-segments.ts); its length is the callback's size_bytes.
  CREATE TABLE callback_bodies (
    callback_id INTEGER PRIMARY KEY,
    segment INTEGER NOT NULL,
    offset INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX callback_bodies_by_segment ON callback_bodies (segment);
  -- Body files whose last callback was deleted on purpose, until the file is gone.
  CREATE TABLE removed_segments (segment INTEGER PRIMARY KEY) STRICT;
  -- IDs of callbacks that a damaged database lost: the order of callbacks around them is not certain.
  CREATE TABLE lost_callbacks (first_id INTEGER PRIMARY KEY, last_id INTEGER NOT NULL) STRICT;
  -- What became of each response (core/receiver/records/outcome-store.ts). The plain 200 without a rule, which most callbacks get, is
  -- 8 bytes in a row of plain_outcomes, which covers count callbacks in sequence; plans are in callback_answers, which many
  -- callbacks share. The outcome of an ID up to outcomes_from was lost.
  CREATE TABLE plain_outcomes (first_id INTEGER PRIMARY KEY, count INTEGER NOT NULL, outcomes BLOB NOT NULL) STRICT;
  CREATE TABLE callback_answers (
    id INTEGER PRIMARY KEY,
    action TEXT NOT NULL,
    status INTEGER,
    headers TEXT NOT NULL,
    body TEXT NOT NULL,
    delay_ms INTEGER NOT NULL,
    rule TEXT,
    step INTEGER
  ) STRICT;
  CREATE TABLE callback_outcomes (
    callback_id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    ended_after_ms INTEGER NOT NULL,
    begun_after_ms INTEGER,
    bytes INTEGER,
    is_kept_alive INTEGER NOT NULL,
    answer_id INTEGER
  ) STRICT;
  CREATE INDEX callback_outcomes_by_answer ON callback_outcomes (answer_id) WHERE answer_id IS NOT NULL;
  CREATE TABLE outcome_start (outcomes_from INTEGER NOT NULL) STRICT;
  INSERT INTO outcome_start VALUES (0);
  CREATE TABLE callback_refusals (
    callback_id INTEGER PRIMARY KEY,
    reason TEXT NOT NULL,
    count INTEGER NOT NULL,
    last_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE callback_trailers (callback_id INTEGER PRIMARY KEY, trailers TEXT NOT NULL) STRICT;
  -- Heads as received, if they differ from what core/receiver/requests/head-capture.ts rebuilds.
  CREATE TABLE callback_heads (callback_id INTEGER PRIMARY KEY, head BLOB NOT NULL) STRICT;
  -- What the service's delivery log says of a callback, stored once (core/callbacks/delivery-records.ts).
  CREATE TABLE callback_deliveries (
    callback_id INTEGER PRIMARY KEY,
    connection_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    attempt_id TEXT NOT NULL,
    arrived_after_ms INTEGER,
    is_copy INTEGER NOT NULL,
    attempt TEXT NOT NULL
  ) STRICT;
  CREATE INDEX callback_deliveries_by_event ON callback_deliveries (connection_id, event_id);
  CREATE INDEX callback_deliveries_by_attempt ON callback_deliveries (connection_id, attempt_id);
  -- The feed of each connection (core/receiver/records/feed-store.ts): where to go on, and its events of the last weeks, also those
  -- whose callback was deleted (null), so that none is stored twice.
  CREATE TABLE feed_cursors (connection_id TEXT PRIMARY KEY, source TEXT NOT NULL, cursor TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE feed_events (
    connection_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    occurred_at INTEGER NOT NULL,
    stored_at INTEGER NOT NULL,
    callback_id INTEGER,
    PRIMARY KEY (connection_id, event_id)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX feed_events_by_callback ON feed_events (callback_id) WHERE callback_id IS NOT NULL;
  CREATE INDEX feed_events_deleted ON feed_events (stored_at) WHERE callback_id IS NULL;

  -- Small, and read and written as a whole.
  CREATE TABLE documents (name TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- The traffic log (core/traffic/), masked. AUTOINCREMENT: an ID is never reused, even after the log is cleared.
  CREATE TABLE exchanges (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    connection_id TEXT NOT NULL,
    connection_name TEXT NOT NULL,
    kind TEXT NOT NULL,
    method TEXT NOT NULL,
    url TEXT NOT NULL,
    status INTEGER,
    took_ms REAL NOT NULL,
    size_bytes INTEGER NOT NULL,
    first_byte_ms REAL,
    truncated INTEGER NOT NULL,
    problem TEXT,
    stored_bytes INTEGER NOT NULL,
    request_headers TEXT NOT NULL,
    response_headers TEXT NOT NULL,
    request_body TEXT,
    response_body TEXT NOT NULL,
    -- When a new socket was ready; null if the exchange reused one.
    looked_up_ms REAL,
    connected_ms REAL,
    secured_ms REAL,
    -- Whether the app sent it on its own account.
    is_background INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  -- The last fetches of each place (core/forecast/forecast-history.ts), deflated.
  CREATE TABLE forecast_fetches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    connection_id TEXT NOT NULL,
    connection_name TEXT NOT NULL,
    lat REAL NOT NULL,
    lng REAL NOT NULL,
    fetched_at INTEGER NOT NULL,
    stored_bytes INTEGER NOT NULL,
    fetch BLOB NOT NULL
  ) STRICT;
  CREATE INDEX forecast_fetches_by_place ON forecast_fetches (lat, lng, id);
  -- Icons of services (core/forecast/stored-icons.ts); a larger ID was stored later.
  CREATE TABLE weather_icons (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    connection_id TEXT NOT NULL,
    url TEXT NOT NULL,
    type TEXT NOT NULL,
    body BLOB NOT NULL,
    etag TEXT,
    fresh_until INTEGER NOT NULL,
    stale_until INTEGER NOT NULL,
    UNIQUE (connection_id, url)
  ) STRICT;

  -- Notes on monitors, and this app's changes to them.
  CREATE TABLE monitor_notes (
    connection_id TEXT NOT NULL,
    monitor_id TEXT NOT NULL,
    name TEXT NOT NULL,
    tags TEXT NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (connection_id, monitor_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE monitor_history (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    connection_id TEXT NOT NULL,
    monitor_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    by TEXT NOT NULL,
    changes TEXT NOT NULL
  ) STRICT;
  CREATE INDEX monitor_history_by_monitor ON monitor_history (connection_id, monitor_id, id);
  -- Deletes of monitors that can still be undone (core/monitors/held-deletes.ts).
  CREATE TABLE held_deletes (
    connection_id TEXT NOT NULL,
    monitor_id TEXT NOT NULL,
    PRIMARY KEY (connection_id, monitor_id)
  ) STRICT, WITHOUT ROWID;
  -- The last action on many monitors (core/monitors/bulk-store.ts).
  CREATE TABLE bulk_run (title TEXT NOT NULL, connection_id TEXT NOT NULL) STRICT;
  CREATE TABLE bulk_tasks (
    place INTEGER PRIMARY KEY,
    task TEXT NOT NULL,
    inverse TEXT,
    state TEXT NOT NULL,
    message TEXT NOT NULL,
    exchange_id INTEGER
  ) STRICT;
`;

/** Step n leads to version `lastPreRelease + n + 1`. Never change a released step; add one. */
export const appMigrations: readonly string[] = [schema];
