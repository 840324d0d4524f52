// The schema of app.sqlite, and its later changes; forward only. `PRAGMA user_version` holds the version.

/** The last version of the pre-release schema, whose files are refused (core/database/app-database.ts). */
export const lastPreRelease = 20;

/** The tables of version 21. It never changes after the first release. */
const schema = `
  -- A callback is one row. headers and trailers are JSON arrays of alternating names and values, as in node:http; flags are those of
  -- core/receiver/requests/received-callback.ts; head is what was received, if head-capture.ts would rebuild it differently. A body above
  -- 16 KB is in a file (core/receiver/records/body-files.ts). The body is the last column, so that listing callbacks does not read the
  -- bodies' pages.
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
    endpoint_id TEXT,
    -- Why the request was refused, how many with this reason the row counts, and when the last one came.
    refusal TEXT,
    refused_count INTEGER,
    refused_last_at INTEGER,
    note TEXT,
    body_file INTEGER,
    body_offset INTEGER,
    trailers TEXT,
    head BLOB,
    headers TEXT NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  CREATE INDEX callbacks_by_monitor ON callbacks (monitor_id, id) WHERE monitor_id IS NOT NULL;
  CREATE INDEX callbacks_by_endpoint ON callbacks (endpoint_id, id) WHERE endpoint_id IS NOT NULL;
  CREATE INDEX callbacks_refused ON callbacks (refusal, id) WHERE refusal IS NOT NULL;
  CREATE INDEX callbacks_by_body_file ON callbacks (body_file) WHERE body_file IS NOT NULL;
  -- Of the whole store (an empty ID) and of each named endpoint, because count(*) over a million rows is slow. The outcome of an ID up to
  -- outcomes_from was lost.
  CREATE TABLE callback_counters (
    endpoint_id TEXT PRIMARY KEY,
    total INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    newest_id INTEGER NOT NULL DEFAULT 0,
    outcomes_from INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  INSERT INTO callback_counters (endpoint_id, total, bytes) VALUES ('', 0, 0);
  -- What became of each response. In a table of its own, because it is known later, and an update would write a row's body again. What
  -- was sent, if it was not the usual 200, is in callback_answers, which many callbacks share (until version 22).
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
  -- What the service's delivery log says of a callback, stored once until version 21.
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
  -- Each connection's events of the last weeks from its feed, also those whose callback was deleted (null), until version 22.
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
    fresh_until INTEGER NOT NULL,
    UNIQUE (connection_id, url)
  ) STRICT;

  -- Notes on monitors.
  CREATE TABLE monitor_notes (
    connection_id TEXT NOT NULL,
    monitor_id TEXT NOT NULL,
    name TEXT NOT NULL,
    tags TEXT NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (connection_id, monitor_id)
  ) STRICT, WITHOUT ROWID;
`;

/** Step n leads to version `lastPreRelease + n + 1`. Never change a released step; add one. */
export const appMigrations: readonly string[] = [
  schema,
  // What was sent is JSON beside the outcome, instead of a table that callbacks share; null for the usual 200. So is the origin of an event
  // from a feed (core/receiver/records/feed-store.ts) in its callback.
  `ALTER TABLE callback_outcomes ADD COLUMN response TEXT;
   UPDATE callback_outcomes SET response = (
     SELECT json_patch(
       json_object('action', action, 'status', status, 'headers', json(headers), 'body', body, 'delayMs', delay_ms, 'rule', rule, 'step', step),
       CASE action WHEN 'by-hand' THEN '{"action":"answer","isByHand":true}' ELSE '{}' END)
     FROM callback_answers WHERE id = answer_id
   ) WHERE answer_id IS NOT NULL;
   UPDATE callback_counters SET bytes = bytes + (
     SELECT coalesce(sum(octet_length(response)), 0) FROM callback_outcomes JOIN callbacks ON id = callback_id
     WHERE octet_length(response) > 4096 AND callback_counters.endpoint_id IN ('', callbacks.endpoint_id)
   );
   DROP INDEX callback_outcomes_by_answer;
   ALTER TABLE callback_outcomes DROP COLUMN answer_id;
   DROP TABLE callback_answers;
   ALTER TABLE callbacks ADD COLUMN feed TEXT;
   UPDATE callbacks SET feed = json_object('connectionId', connection_id, 'eventId', event_id, 'occurredAt', occurred_at)
     FROM feed_events WHERE feed_events.callback_id = callbacks.id;
   CREATE INDEX callbacks_by_feed_event ON callbacks (feed ->> 'eventId') WHERE feed IS NOT NULL;
   DROP TABLE feed_events;
   CREATE TABLE sends (id INTEGER PRIMARY KEY AUTOINCREMENT, callback_id INTEGER NOT NULL, send TEXT NOT NULL) STRICT;
   INSERT INTO sends SELECT id, callback_id, json_object('callbackId', callback_id, 'kind', kind, 'startedAt', started_at,
     'tookMs', took_ms, 'method', method, 'url', url, 'headers', json(headers), 'outcome', json(outcome)) FROM callback_sends;
   DROP TABLE callback_sends;
   ALTER TABLE sends RENAME TO callback_sends;
   CREATE INDEX callback_sends_by_callback ON callback_sends (callback_id, id);
   UPDATE documents SET json = replace(json, '"pause":"drop"', '"pause":"refuse"') WHERE name = 'receiver rules';
   -- Single callbacks above \`throughId\` could be read.
   UPDATE documents SET json = json_object('throughId', coalesce(json ->> '$.ids[#-1]', json ->> 'throughId'))
     WHERE name = 'read callbacks' AND json_valid(json);`,
];
