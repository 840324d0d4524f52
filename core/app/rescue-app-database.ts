// The rules of app.sqlite for a rescue: which tables are computed from others, which rows belong together, and which callbacks
// are lost.
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#shared/time/clock.ts';
import type { DamageReport } from '#contract/app-rpc/damage-report.ts';
import { type CopiedRows, rescueDatabase } from '#storage/rescue-database.ts';
import type { SqliteRow } from '#storage/sqlite-tree.ts';
import { claimOnSegment, segmentFolder } from '#core/receiver/records/body-segments.ts';
import { storedBytes } from '#core/receiver/records/callback-removal.ts';
import { callbackFlags } from '#core/receiver/requests/received-callback.ts';

const labels = {
  callbacks: 'callbacks',
  callback_notes: 'notes on callbacks',
  callback_sends: 'replays and forwards',
  callback_outcomes: 'callback outcomes',
  callback_refusals: 'refused requests',
  exchanges: 'traffic entries',
  forecast_fetches: 'stored forecasts',
  weather_icons: 'weather icons',
  monitor_notes: 'notes on monitors',
  monitor_history: 'monitor changes',
  held_deletes: 'deletions that can be undone',
  bulk_run: 'the last bulk action on monitors',
  bulk_tasks: 'the steps of that action',
  documents: 'receiver settings and saved searches',
};

/** `target`: an empty database with the current schema. `hasLostEnd`: the newest rows may be missing without a trace. */
export function rescueAppDatabase(options: {
  file: string;
  target: string;
  clock: Clock;
  detail: string;
  hasLostEnd: boolean;
}): DamageReport {
  const { file, hasLostEnd, ...rest } = options;
  return rescueDatabase({
    ...rest,
    file,
    labels,
    derived: ['callback_counters', 'endpoint_counters', 'removed_segments', 'lost_callbacks', 'outcome_start'],
    bodies: { folder: segmentFolder(file), claimOn: claimOnSegment },
    finish: (db, copied) => finishCopy(db, copied, hasLostEnd),
  });
}

function finishCopy(db: DatabaseSync, { tables, derived }: CopiedRows, hasLostEnd: boolean) {
  const count = (sql: string) => Number(db.prepare(sql).get()?.['count'] ?? 0);
  const remarks: string[] = [];
  // Random bytes rarely decode to a row; if they do, they are not JSON.
  const implausible = db.prepare('DELETE FROM callbacks WHERE NOT json_valid(headers)').run().changes;
  const withoutBody = db
    .prepare(
      `UPDATE callbacks SET flags = (flags | ${callbackFlags.truncated}) & ~${callbackFlags.inSegment}
       WHERE flags & ${callbackFlags.inSegment} AND id NOT IN (SELECT callback_id FROM callback_bodies)`,
    )
    .run().changes;
  if (Number(withoutBody) > 0) remarks.push(`Callbacks whose bodies were lost (marked as truncated): ${withoutBody}.`);

  const [counters] = derived.get('callback_counters') ?? [];
  const [newestId, total] = (counters?.values ?? []).map(Number);
  const newestSeen = count(
    `SELECT max(id) AS count FROM (SELECT max(id) AS id FROM callbacks UNION SELECT max(callback_id) FROM callback_bodies
      UNION SELECT max(callback_id) FROM endpoint_callbacks UNION SELECT max(callback_id) FROM callback_sends)`,
  );
  const kept = count('SELECT count(*) AS count FROM callbacks');
  const result = tables.get('callbacks');
  const unreadable = result?.unreadablePages ?? 1;
  const known = (result?.unreadableRows ?? 0) + Number(implausible);
  const lost = hasLostEnd || (total === undefined && unreadable > 0) ? null : Math.max(known, (total ?? kept) - kept);
  const newest = Math.max(newestId ?? 0, newestSeen);
  const end = lost === null || counters === undefined ? newest + unknownIds : newest;
  if (lost !== 0) noteLostIds(db, [...(result?.lostRanges ?? []), { first: newest + 1, last: end }], end);
  copyLostIds(db, derived.get('lost_callbacks') ?? []);

  for (const table of [
    'callback_notes',
    'callback_deletions',
    'callback_sends',
    'callback_bodies',
    'endpoint_callbacks',
    'callback_outcomes',
    'callback_refusals',
    'callback_trailers',
    'callback_heads',
    'callback_deliveries',
    'feed_events',
  ]) {
    db.exec(`DELETE FROM ${table} WHERE callback_id NOT IN (SELECT id FROM callbacks)`);
  }
  // What was lost is read again.
  if (lost !== 0) db.exec("UPDATE feed_cursors SET cursor = ''");
  db.exec('DELETE FROM callback_counters');
  db.prepare(`INSERT INTO callback_counters SELECT ?, count(*), coalesce(sum(${storedBytes}), 0) FROM callbacks`).run(
    end,
  );
  db.exec('DELETE FROM outcome_start');
  db.prepare('INSERT INTO outcome_start VALUES (?)').run(end);
  db.exec(`INSERT INTO endpoint_counters
    SELECT endpoint_id, count(*), sum(size_bytes) FROM endpoint_callbacks GROUP BY 1`);
  return { remarks, lost: { callbacks: lost } };
}

/** IDs to skip if the last assigned ID is unknown, because an ID is never used twice. */
const unknownIds = 1000;
const maxRanges = 10_000;

function noteLostIds(db: DatabaseSync, ranges: readonly { first: number; last: number }[], newestId: number): void {
  const present = db.prepare('SELECT count(*) AS count FROM callbacks WHERE id BETWEEN ? AND ?');
  const note = db.prepare(
    'INSERT INTO lost_callbacks VALUES (?, ?) ON CONFLICT DO UPDATE SET last_id = max(last_id, excluded.last_id)',
  );
  for (const { first, last: end } of ranges.slice(-maxRanges)) {
    const last = Math.min(end, newestId);
    const isLost = last >= first && Number(present.get(first, last)?.['count']) < last - first + 1;
    if (isLost) note.run(first, last);
  }
}

function copyLostIds(db: DatabaseSync, rows: readonly SqliteRow[]): void {
  const note = db.prepare('INSERT OR IGNORE INTO lost_callbacks VALUES (?, ?)');
  for (const { rowid, values } of rows) {
    const last = values[1];
    if (rowid > 0 && typeof last === 'number') note.run(rowid, last);
  }
}
