// Exports everything the service stores about an account as JSON, except secrets: password and secret hashes, tokens, session
// IDs, webhook secrets, and passwords of callbacks.
import type { Kysely } from 'kysely';
import { formatInstant } from '#contract/service-api/timestamp.ts';
import type { Tables } from '../database/tables.ts';
import type { Account } from './account-store.ts';

const pageRows = 500;

type Row = Readonly<Record<string, unknown>>;

/** Yields the text of one JSON object in pieces, so that an account with many deliveries needs little memory. */
export async function* exportAccount(db: Kysely<Tables>, account: Account): AsyncGenerator<string> {
  const { id, username, email, email_confirmed_at, pending_email, is_operator, endpoint_mails } = account;
  const { created_at, disabled_at } = account;
  const self = {
    username,
    email,
    email_confirmed_at,
    pending_email,
    is_operator,
    endpoint_mails,
    created_at,
    disabled_at,
  };
  yield `{"account":${JSON.stringify(readable(self))}`;
  for (const [name, rows] of Object.entries(sectionsOf(db, id, account))) {
    yield `,\n"${name}":[`;
    let separator = '';
    for await (const row of rows) {
      yield `${separator}\n${JSON.stringify(readable(row))}`;
      separator = ',';
    }
    yield ']';
  }
  yield '}\n';
}

function sectionsOf(db: Kysely<Tables>, accountId: string, account: Account): Record<string, AsyncIterable<Row>> {
  const applications = db.selectFrom('applications').select('id').where('account_id', '=', accountId);
  const monitors = db.selectFrom('monitors').select('id').where('application_id', 'in', applications);
  return {
    contracts: all(
      db.selectFrom('contracts').select(['id', 'plan', 'state', 'created_at']).where('account_id', '=', accountId),
    ),
    applications: all(
      db
        .selectFrom('applications')
        .select([
          'id',
          'client_id',
          'name',
          'description',
          'contract_id',
          'is_public',
          'requires_pkce',
          'allows_password',
        ])
        .select(['secret_created_at', 'previous_secret_until', 'terms_accepted_at', 'created_at', 'disabled_at'])
        .where('account_id', '=', accountId),
    ),
    redirectUris: all(
      db
        .selectFrom('application_redirects')
        .select(['application_id', 'uri'])
        .where('application_id', 'in', applications)
        .orderBy('application_id')
        .orderBy('position'),
    ),
    operationalWebhooks: all(
      db
        .selectFrom('operational_webhooks')
        .select(['application_id', 'url', 'created_at'])
        .where('application_id', 'in', applications),
    ),
    usage: all(db.selectFrom('usage').selectAll().where('application_id', 'in', applications).orderBy('day')),
    monitors: paged(async (after) => {
      const rows = await db
        .selectFrom('monitors')
        .selectAll()
        .where('application_id', 'in', applications)
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageRows)
        .execute();
      return rows.map((row) => ({ ...row, callback_credentials: undefined }));
    }),
    events: paged((after) =>
      db
        .selectFrom('events')
        .select(['id', 'monitor_id', 'kind', 'occurred_at', 'callback_uri', 'body', 'state', 'attempts'])
        .where('application_id', 'in', applications)
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageRows)
        .execute(),
    ),
    deliveries: paged((after) =>
      db
        .selectFrom('deliveries')
        .selectAll()
        .where((where) => where.or([where('monitor_id', 'in', monitors), where('monitor_id', 'in', applications)]))
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageRows)
        .execute(),
    ),
    permissions: all(
      db
        .selectFrom('grants')
        .innerJoin('applications', 'applications.id', 'grants.application_id')
        .select(['applications.client_id', 'applications.name', 'grants.kind', 'grants.scope'])
        .select(['grants.created_at', 'grants.revoked_at'])
        .where('grants.account_id', '=', accountId),
    ),
    sessions: all(db.selectFrom('sessions').select(['created_at', 'expires_at']).where('account_id', '=', accountId)),
    weatherReports: all(
      db
        .selectFrom('metags')
        .select(['id', 'latitude', 'longitude', 'status', 'created_at'])
        .where('account_id', '=', accountId),
    ),
    // Emails to an unconfirmed address may belong to someone else.
    emails: all(
      db
        .selectFrom('mails')
        .select(['recipient', 'subject', 'body', 'state', 'created_at'])
        .where('recipient', '=', account.email_confirmed_at === null ? '' : account.email),
    ),
    launchNotices: all(
      db
        .selectFrom('launch_notices')
        .select(['email', 'created_at', 'confirmed_at'])
        .where('email_key', '=', account.email_confirmed_at === null ? '' : account.email_key),
    ),
  };
}

async function* all(query: { execute(): Promise<Row[]> }): AsyncGenerator<Row> {
  yield* await query.execute();
}

async function* paged(fetchAfter: (id: string) => Promise<(Row & { id: string })[]>): AsyncGenerator<Row> {
  let last = '';
  for (;;) {
    const rows = await fetchAfter(last);
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < pageRows) return;
    last = end.id;
  }
}

/** Formats timestamps as ISO 8601 in UTC. A timestamp of 0 is null. */
function readable(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]) => {
    const isInstant = typeof value === 'number' && /_(at|since|until)$/.test(name);
    return [name, isInstant ? (value === 0 ? null : formatInstant(value)) : value];
  });
  return Object.fromEntries(entries) as Row;
}
