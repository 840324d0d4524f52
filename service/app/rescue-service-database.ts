// Rescues service.sqlite. Drops rows whose parent is lost, and computes derived rows again.
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#shared/time/clock.ts';
import type { DamageReport } from '#contract/app-rpc/damage-report.ts';
import { type CopiedRows, rescueDatabase } from '#storage/rescue-database.ts';
import type { SqliteRow } from '#storage/sqlite-tree.ts';

const labels = {
  accounts: 'accounts',
  contracts: 'contracts',
  applications: 'applications',
  application_redirects: 'redirect URLs',
  webhook_secrets: 'webhook secrets',
  monitors: 'monitors',
  events: 'events',
  deliveries: 'delivery log entries',
  mails: 'emails',
  launch_notices: 'launch notices',
  metags: 'weather reports',
  usage: 'usage counts',
  grants: 'authorizations',
  access_tokens: 'access tokens',
  refresh_tokens: 'refresh tokens',
  sessions: 'sessions',
};

/** `target`: an empty database with the current schema. `hasLostEnd`: the newest rows may be missing without a trace. */
export function rescueServiceDatabase(options: {
  file: string;
  target: string;
  clock: Clock;
  detail: string;
  hasLostEnd: boolean;
}): DamageReport {
  const { hasLostEnd, ...rest } = options;
  return rescueDatabase({
    ...rest,
    labels,
    derived: ['watch_cells', 'identifiers'],
    finish: (db, copied) => finishCopy(db, copied, hasLostEnd),
  });
}

/** Rows whose parent is lost are left out and counted as lost. */
const orphans: readonly (readonly [keyof typeof labels, string, string])[] = [
  ['monitors', 'application_id NOT IN (SELECT id FROM applications)', 'because their application was lost'],
  ['webhook_secrets', 'application_id NOT IN (SELECT id FROM applications)', 'because their application was lost'],
  ['events', 'monitor_id NOT IN (SELECT id FROM monitors)', 'because their monitor was lost or deleted'],
  ['deliveries', 'monitor_id NOT IN (SELECT id FROM monitors)', 'because their monitor was lost or deleted'],
];

function finishCopy(db: DatabaseSync, { derived }: CopiedRows, hasLostEnd: boolean) {
  const remarks = [...renewContracts(db), ...dropOrphans(db)];
  db.exec(`INSERT INTO watch_cells (cell, latitude, longitude, monitor_count, next_look_at, held_until)
    SELECT cell, CAST(latitude AS REAL), CAST(longitude AS REAL), count(*), 0, 0 FROM monitors GROUP BY cell`);
  // Readers have seen positions of lost events, so continue after all that can have been assigned.
  db.exec(`INSERT INTO feed_positions (name, last_position) SELECT 'events', coalesce(max(feed_position), 0) FROM events WHERE true
    ON CONFLICT (name) DO UPDATE SET last_position = max(last_position, excluded.last_position);
    UPDATE feed_positions SET last_position = last_position + 1000000000`);
  raiseIdentifiers(db, derived.get('identifiers') ?? [], hasLostEnd);
  return { remarks };
}

/** Keeps applications with a lost contract: replaces it with a new one on the smallest plan; the sandbox's with one on its own plan. */
function renewContracts(db: DatabaseSync): string[] {
  const { changes } = db
    .prepare(
      `INSERT OR IGNORE INTO contracts (id, account_id, plan, created_at)
       SELECT contract_id, account_id, CASE max(is_sandbox) WHEN 1 THEN 'in-house' ELSE 'drizzle' END, min(created_at)
       FROM applications
       WHERE contract_id NOT IN (SELECT id FROM contracts) AND account_id IN (SELECT id FROM accounts)
       GROUP BY contract_id, account_id`,
    )
    .run();
  return Number(changes) === 0
    ? []
    : [`Lost contracts replaced with new ones on the smallest plan (in-house for the sandbox): ${changes}.`];
}

function dropOrphans(db: DatabaseSync): string[] {
  const dropped = new Map<string, number>();
  const drop = (table: string, condition: string, why: string, ...rowid: number[]) => {
    const { changes } = db.prepare(`DELETE FROM "${table}" WHERE ${condition}`).run(...rowid);
    const label = Object.hasOwn(labels, table) ? labels[table as keyof typeof labels] : table;
    const what = `${why}: ${label}`;
    if (Number(changes) > 0) dropped.set(what, (dropped.get(what) ?? 0) + Number(changes));
  };
  const dangling = db.prepare('PRAGMA foreign_key_check');
  // A deleted row may have children.
  for (let rows = dangling.all(); rows.length > 0; rows = dangling.all()) {
    for (const row of rows)
      drop(
        String(row['table']),
        'rowid = ?',
        'because the records that they belong to were lost',
        Number(row['rowid']),
      );
  }
  for (const [table, condition, why] of orphans) drop(table, condition, why);
  return [...dropped].map(([what, count]) => `Left out ${what} (${count}).`);
}

/** Numbers to skip if the last one used is unknown, so that no ID is used twice. */
const unknownNumbers = 1000;

function raiseIdentifiers(db: DatabaseSync, known: readonly SqliteRow[], hasLostEnd: boolean): void {
  const stored = known.map(({ values: [, last] }) => Number(last)).filter(Number.isSafeInteger);
  const used = db.prepare("SELECT max(CAST(substr(id, instr(id, '_') + 1) AS INTEGER)) AS last FROM monitors").get();
  const last = Math.max(0, Number(used?.['last'] ?? 0), ...stored);
  const isCertain = stored.length > 0 && !hasLostEnd;
  if (last === 0 && isCertain) return;
  db.prepare("INSERT INTO identifiers (name, last_number) VALUES ('monitor', ?)").run(
    isCertain ? last : last + unknownNumbers,
  );
}
