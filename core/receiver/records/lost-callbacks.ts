// IDs of callbacks that a damaged database lost: the order of callbacks around them is not certain.
import type { DatabaseSync } from 'node:sqlite';

const documentName = 'lost callbacks';

/** More than the callbacks and requests that can be lost: an ID is never used twice. */
const skippedIds = 1_000_000;

/** First and last ID of each gap. It is noted before the app opens the database. */
export function lostCallbacks(db: DatabaseSync): [number, number][] {
  const row = db.prepare('SELECT json FROM documents WHERE name = ?').get(documentName);
  return row ? (JSON.parse(String(row['json'])) as [number, number][]) : [];
}

/** Call it for a copy that was opened in the place of a damaged database. */
export function skipLostCallbacks(db: DatabaseSync): void {
  const newestId = Number(
    db.prepare("SELECT newest_id FROM callback_counters WHERE endpoint_id = ''").get()?.['newest_id'],
  );
  const gaps = [...lostCallbacks(db), [newestId + 1, newestId + skippedIds]];
  db.exec('BEGIN IMMEDIATE');
  db.prepare('INSERT OR REPLACE INTO documents (name, json) VALUES (?, ?)').run(documentName, JSON.stringify(gaps));
  db.exec(`UPDATE callback_counters SET newest_id = newest_id + ${skippedIds} WHERE endpoint_id = '';
    UPDATE sqlite_sequence SET seq = seq + ${skippedIds};
    COMMIT`);
}
