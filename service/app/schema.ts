// The schema of the service's database in both engines. It was created as a whole for the first release and never changes after it;
// later changes are migrations (migrations.ts).

/** The statements that create all tables of an empty database, in order. */
export function schemaStatements(engine: 'sqlite' | 'postgres'): string[] {
  const text =
    engine === 'postgres' ? tables.replaceAll(' WITHOUT ROWID', '') + onlyOnPostgres : withoutPostgres(tables);
  return text.split(/;\n/).filter((statement) => statement.trim() !== '');
}

function withoutPostgres(text: string): string {
  return text.replaceAll(/UNLOGGED | WITH \(fillfactor = \d+\)/g, '');
}

// Unlogged: a server crash loses only counts and leases that are outdated a moment later. The fill factor leaves room in each page
// for the next version of a row, so that counts and leases change no index.
const tables = `
CREATE TABLE accounts (
  id text PRIMARY KEY,
  username text NOT NULL,
  username_key text NOT NULL UNIQUE,
  email text NOT NULL,
  email_key text NOT NULL UNIQUE,
  password_hash text NOT NULL,
  is_operator integer NOT NULL,
  created_at bigint NOT NULL,
  disabled_at bigint,
  email_confirmed_at bigint,
  pending_email text,
  endpoint_mails integer NOT NULL DEFAULT 1
);
CREATE TABLE contracts (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  plan text NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT contracts_once_per_plan UNIQUE (account_id, plan)
);
CREATE TABLE applications (
  id text PRIMARY KEY,
  client_id text NOT NULL UNIQUE,
  account_id text NOT NULL REFERENCES accounts (id),
  contract_id text NOT NULL REFERENCES contracts (id),
  name text NOT NULL,
  description text NOT NULL,
  is_public integer NOT NULL,
  allows_password integer NOT NULL,
  secret_hash text,
  secret_created_at bigint,
  is_sandbox integer NOT NULL,
  terms_accepted_at bigint NOT NULL,
  created_at bigint NOT NULL,
  disabled_at bigint,
  requires_pkce integer NOT NULL DEFAULT 0,
  client_grant text
);
CREATE INDEX applications_by_account ON applications (account_id);
CREATE TABLE application_redirects (
  application_id text NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  uri text NOT NULL,
  position integer NOT NULL,
  CONSTRAINT application_redirects_once PRIMARY KEY (application_id, uri)
);
CREATE TABLE signing_keys (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE sessions (
  hash text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX sessions_by_account ON sessions (account_id);
-- Without a reference: the record must outlast the application.
CREATE TABLE usage (
  application_id text NOT NULL,
  day integer NOT NULL,
  requests bigint NOT NULL,
  CONSTRAINT usage_per_day PRIMARY KEY (application_id, day)
);
CREATE TABLE grants (
  id text PRIMARY KEY,
  application_id text NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  account_id text REFERENCES accounts (id) ON DELETE CASCADE,
  kind text NOT NULL,
  scope text NOT NULL,
  created_at bigint NOT NULL,
  revoked_at bigint
);
CREATE INDEX grants_by_application ON grants (application_id);
CREATE INDEX grants_by_account ON grants (account_id);
CREATE TABLE codes (
  hash text PRIMARY KEY,
  grant_id text NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
  redirect_uri text NOT NULL,
  code_challenge text,
  expires_at bigint NOT NULL,
  used integer NOT NULL
);
CREATE INDEX codes_by_grant ON codes (grant_id);
CREATE TABLE access_tokens (
  hash text PRIMARY KEY,
  grant_id text NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
  scope text NOT NULL,
  expires_at bigint NOT NULL,
  family text
);
CREATE INDEX access_tokens_by_expiry ON access_tokens (expires_at);
CREATE INDEX access_tokens_by_family ON access_tokens (grant_id, family);
CREATE TABLE refresh_tokens (
  hash text PRIMARY KEY,
  grant_id text NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
  expires_at bigint NOT NULL,
  replaced_at bigint
);
CREATE INDEX refresh_tokens_by_grant ON refresh_tokens (grant_id);
CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);
CREATE TABLE ended_families (family text PRIMARY KEY, expires_at bigint NOT NULL);
CREATE INDEX ended_families_by_expiry ON ended_families (expires_at);
CREATE TABLE revocations (name text PRIMARY KEY, number bigint NOT NULL);
CREATE TABLE revoked (number bigint PRIMARY KEY, kind text NOT NULL, subject text NOT NULL, at bigint NOT NULL);
CREATE TABLE allowed_requests (id text PRIMARY KEY, expires_at bigint NOT NULL);

-- recipient_key, counted_at, mail_recipients, and confirmed_at: only the previous release uses them.
CREATE TABLE mails (
  id text PRIMARY KEY,
  recipient text NOT NULL,
  reply_to text,
  subject text NOT NULL,
  body text NOT NULL,
  created_at bigint NOT NULL,
  state text NOT NULL,
  attempts integer NOT NULL,
  next_attempt_at bigint,
  recipient_key text NOT NULL DEFAULT '',
  counted_at bigint NOT NULL DEFAULT 0,
  link text
);
CREATE INDEX mails_by_state ON mails (state, next_attempt_at);
CREATE INDEX mails_by_recipient ON mails (recipient_key, counted_at);
CREATE TABLE mail_recipients (recipient_key text PRIMARY KEY, last_at bigint NOT NULL);
CREATE TABLE mail_links (
  hash text PRIMARY KEY,
  purpose text NOT NULL,
  account_id text REFERENCES accounts (id) ON DELETE CASCADE,
  email text NOT NULL,
  expires_at bigint NOT NULL,
  used integer NOT NULL
);
CREATE INDEX mail_links_by_account ON mail_links (account_id);
CREATE TABLE launch_notices (
  email_key text PRIMARY KEY,
  email text NOT NULL,
  created_at bigint NOT NULL,
  confirmed_at bigint
);

-- delivered_count, failed_count, and recent_events: only the previous release uses them (docs/operations.md, Expand and contract).
CREATE TABLE monitors (
  id text PRIMARY KEY,
  application_id text NOT NULL,
  monitor_type text NOT NULL,
  callback_uri text NOT NULL,
  latitude text NOT NULL,
  longitude text NOT NULL,
  cell text NOT NULL,
  created_at bigint NOT NULL,
  gate_opens_at bigint NOT NULL,
  off_since bigint,
  off_reason text,
  failed_events integer NOT NULL,
  delivered_count bigint NOT NULL DEFAULT 0,
  failed_count bigint NOT NULL DEFAULT 0,
  latest_event_at bigint NOT NULL DEFAULT 0,
  recent_events text NOT NULL DEFAULT '',
  callback_credentials text
);
CREATE INDEX monitors_by_application ON monitors (application_id, id);
-- Exactly the query of a claim: the monitors of a cell that are not in cool-down.
CREATE INDEX monitors_by_gate ON monitors (cell, gate_opens_at);
-- Exactly the query for incidents (incidents.ts).
CREATE INDEX monitors_failing ON monitors (application_id) WHERE failed_events > 0 OR off_since IS NOT NULL;
CREATE TABLE watch_cells (
  cell text PRIMARY KEY,
  latitude double precision NOT NULL,
  longitude double precision NOT NULL,
  monitor_count integer NOT NULL,
  next_look_at bigint NOT NULL,
  held_until bigint NOT NULL
);
CREATE INDEX watch_cells_due ON watch_cells (next_look_at);
CREATE TABLE identifiers (name text PRIMARY KEY, last_number bigint NOT NULL);

CREATE TABLE events (
  id text PRIMARY KEY,
  monitor_id text NOT NULL,
  application_id text NOT NULL,
  kind text NOT NULL,
  occurred_at bigint NOT NULL,
  triggered_by text,
  callback_uri text NOT NULL,
  body text NOT NULL,
  feed_position bigint NOT NULL,
  undelivered text
);
CREATE INDEX events_by_monitor ON events (monitor_id, id);
CREATE INDEX events_by_feed ON events (application_id, feed_position);
-- Small, so that ending an event is cheap: its row is deleted.
CREATE TABLE waiting_events (
  event_id text PRIMARY KEY,
  application_id text NOT NULL,
  host text NOT NULL,
  is_guarded integer NOT NULL,
  is_resend integer NOT NULL,
  attempts integer NOT NULL,
  due_at bigint NOT NULL,
  expires_at bigint,
  held_until bigint NOT NULL,
  held_by text
) WITHOUT ROWID WITH (fillfactor = 50);
CREATE INDEX waiting_events_due ON waiting_events (due_at);
CREATE TABLE attempts (
  event_id text NOT NULL,
  attempt integer NOT NULL,
  kind text NOT NULL,
  started_at bigint NOT NULL,
  latency_ms integer NOT NULL,
  http_status integer,
  error text,
  answer text NOT NULL,
  CONSTRAINT attempts_key PRIMARY KEY (event_id, attempt, started_at)
) WITHOUT ROWID;
CREATE TABLE feed_positions (name text PRIMARY KEY, last_position bigint NOT NULL);
CREATE TABLE feed_readers (application_id text PRIMARY KEY, read_at bigint NOT NULL);
CREATE TABLE webhook_secrets (
  application_id text PRIMARY KEY,
  secret text NOT NULL,
  created_at bigint NOT NULL,
  previous_secret text
);
CREATE TABLE endpoint_incidents (
  application_id text PRIMARY KEY,
  began_at bigint NOT NULL,
  ended_at bigint,
  told text NOT NULL,
  told_at bigint NOT NULL
);

CREATE TABLE metags (
  id text PRIMARY KEY,
  application_id text NOT NULL,
  account_id text NOT NULL,
  latitude double precision NOT NULL,
  longitude double precision NOT NULL,
  status text NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX metags_by_age ON metags (created_at, latitude);
CREATE TABLE weather_cache (
  provider text NOT NULL,
  cell text NOT NULL,
  fetched_at bigint NOT NULL,
  shape integer NOT NULL,
  body text NOT NULL,
  CONSTRAINT weather_cache_key PRIMARY KEY (provider, cell)
);
CREATE INDEX weather_cache_by_age ON weather_cache (fetched_at);
CREATE UNLOGGED TABLE weather_lookups (
  provider text NOT NULL,
  cell text NOT NULL,
  held_until bigint NOT NULL,
  CONSTRAINT weather_lookups_key PRIMARY KEY (provider, cell)
);
CREATE TABLE evidence (
  id text PRIMARY KEY,
  kind text NOT NULL,
  source text NOT NULL,
  latitude double precision NOT NULL,
  longitude double precision NOT NULL,
  observed_at bigint NOT NULL,
  counts_at bigint NOT NULL,
  is_wet integer NOT NULL,
  mm_per_hour double precision,
  text text NOT NULL,
  is_open integer NOT NULL
);
CREATE INDEX evidence_by_time ON evidence (counts_at);
CREATE INDEX evidence_open ON evidence (counts_at) WHERE is_open = 1;
CREATE TABLE outcomes (
  id text PRIMARY KEY,
  monitor_id text NOT NULL,
  application_id text NOT NULL,
  occurred_at bigint NOT NULL,
  verdict text NOT NULL,
  source text NOT NULL,
  region text NOT NULL,
  evidence_kind text,
  evidence_source text,
  evidence_at bigint,
  evidence_km double precision,
  evidence_text text,
  lead_ms bigint,
  is_onset integer NOT NULL
);
CREATE INDEX outcomes_by_monitor ON outcomes (monitor_id, occurred_at);
CREATE INDEX outcomes_by_application ON outcomes (application_id);

CREATE TABLE chores (name text PRIMARY KEY, taken_at bigint NOT NULL);
`;

const onlyOnPostgres = `
CREATE UNLOGGED TABLE limits (key text PRIMARY KEY, points integer NOT NULL, expire bigint) WITH (fillfactor = 50);
`;
