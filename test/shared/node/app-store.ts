// An app.sqlite with callbacks whose content follows from their number, so that each can be checked to the byte.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import type { DamageReport } from '#shared/errors/damage-report.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import type { ReceivedCallback } from '#core/receiver/requests/received-callback.ts';
import { readReports } from '#shared/node/damage-reports.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const longBody = 20_000;

export function callback(number: number): ReceivedCallback {
  const isLong = number % 50 === 0;
  const body = Buffer.from(
    JSON.stringify({
      id: `precipitation_${number % 7}`,
      n: number,
      x: 'y'.repeat(isLong ? longBody : 300 + (number % 400)),
    }),
  );
  const rawHeaders = ['content-type', 'application/json', 'x-number', String(number)];
  const facts = { method: 'POST', target: `/hook/${number}`, httpVersion: '1.1', remoteAddress: '127.0.0.1' };
  return {
    ...facts,
    receivedAt: 1_790_000_000_000 + number * 1000,
    body,
    rawHeaders,
    truncated: false,
    answeredStatus: 200,
  };
}

export type AppStore = ReturnType<typeof openStore>;

export function openStore(folder = temporaryFolder(), clock = systemClock) {
  const database = openAppDatabase({ file: join(folder, 'app.sqlite'), clock });
  const writer = createCallbackWriter(database.db);
  let isClosed = false;
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    writer.close();
    database.close();
  };
  onTestFinished(close);
  return { folder, file: database.file, db: database.db, writer, pages: createCallbackPages(database.db), close };
}

/** A store with so many callbacks, a note, and a document. */
export function filledStore(count: number, folder = temporaryFolder()): AppStore {
  const store = openStore(folder);
  for (let first = 1; first <= count; first += 500) {
    store.writer.append(
      Array.from({ length: Math.min(500, count - first + 1) }, (_, index) => callback(first + index)),
    );
  }
  store.db.exec(`INSERT INTO documents VALUES ('rules', '{"kept":true}')`);
  store.db.exec("UPDATE callbacks SET note = 'the first' WHERE id = 1");
  return store;
}

/** Every callback that is there is the one that was sent, to the byte. */
export function expectIntact(store: AppStore): number[] {
  const rows = [...store.pages.rows({}, 'oldestFirst')];
  for (const row of rows) {
    expect(row.headers.find(([name]) => name === 'x-number')?.[1]).toBe(String(row.id));
    expect(row.truncated || row.body.equals(callback(row.id).body as Buffer)).toBe(true);
  }
  expect(store.pages.counts().total).toBe(rows.length);
  return rows.map(({ id }) => id);
}

export function reportsIn(folder: string): DamageReport[] {
  return readReports([join(folder, 'app.sqlite')]);
}

export function bodyFilesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.bodies'));
}

/** The contents of the body files, each once, because a file may have several names; to compare them to what they were before. */
export function bodiesBelow(folder: string): string[] {
  const contents = bodyFilesBelow(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  return [...new Set(contents)].filter((content) => content !== '').toSorted();
}
