// The schema of app.sqlite, and its later changes; forward only. `PRAGMA user_version` holds the version.

/** The last version of the pre-release schema, whose files are refused (core/app/open-app-database.ts). */
export const lastPreRelease = 21;

/** The tables of version 22. It never changes after the first release. */
const schema = `
  -- A callback is one row. headers and trailers are JSON arrays of alternating names and values, as in node:http; flags are those of
  -- core/receiver/requests/received-callback.ts; feed is the origin of an event from a feed, as JSON; head is what was received, if
  -- head-capture.ts would rebuild it differently. A body above 16 KB is in a file (core/receiver/records/body-files.ts). The body is the
  -- last column, so that listing callbacks does not read the bodies' pages.
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
    feed TEXT,
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
  CREATE INDEX callbacks_by_feed_event ON callbacks (feed ->> 'eventId') WHERE feed IS NOT NULL;
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
  -- What became of each response. In a table of its own, because it is known later, and an update would write a row's body again.
  -- response is what was sent, as JSON; null for the usual 200.
  CREATE TABLE callback_outcomes (
    callback_id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    ended_after_ms INTEGER NOT NULL,
    begun_after_ms INTEGER,
    bytes INTEGER,
    is_kept_alive INTEGER NOT NULL,
    response TEXT
  ) STRICT;
  -- Requests made from callbacks, as JSON.
  CREATE TABLE callback_sends (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    callback_id INTEGER NOT NULL,
    send TEXT NOT NULL
  ) STRICT;
  CREATE INDEX callback_sends_by_callback ON callback_sends (callback_id, id);

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
  -- Icons of services (core/forecast/weather-icons.ts); a larger ID was stored later.
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
export const appMigrations: readonly string[] = [schema];
