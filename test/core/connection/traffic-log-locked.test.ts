// The traffic log: bounded, and while another program holds the database, only its entries are lost.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { ObservedRequest } from '#core/http/http-sender.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createTrafficLog } from '#core/traffic/traffic-log.ts';
import { createManualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { noSteps } from '../core-harness.ts';

const everything = { limit: 500, failedOnly: false, includesBackground: true };
const profile = { id: 'sandbox', name: 'Sandbox' };

function openLog(folder = temporaryFolder(), limits?: { entries: number; bytes: number }) {
  const clock = createManualClock();
  const file = join(folder, 'app.sqlite');
  const database = openAppDatabase({ file, clock });
  onTestFinished(() => database.close());
  const said: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void said.push(line) });
  const traffic = createTrafficLog({ db: database.db, clock, log, ...(limits && { limits }), onChanged: () => {} });
  return { clock, file, database, db: database.db, traffic, said };
}

function observed(path: string, bodyBytes = 10, status = 200) {
  const request = { method: 'GET' as const, url: `http://127.0.0.1:9${path}`, headers: [] };
  const response = { request, status, headers: [], body: Buffer.alloc(bodyBytes, 'x'), firstByteMs: 1, tookMs: 2 };
  return { request, startedAt: 0, tookMs: 2, steps: noSteps, response } satisfies ObservedRequest;
}

/** Takes the one write lock of the file, as a backup or a curious person would. */
function lock(file: string): () => void {
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  const release = () => {
    if (other.isOpen) other.close();
  };
  onTestFinished(release);
  return release;
}

function written(db: DatabaseSync): number {
  return Number(db.prepare('SELECT count(*) AS total FROM exchanges').get()?.['total']);
}

test('exchanges under a lock are lost and reported, and later ones are stored', () => {
  const { clock, file, traffic, said } = openLog();
  traffic.record(profile, observed('/before'));
  clock.advance(250);
  const release = lock(file);
  traffic.record(profile, observed('/lost'));
  clock.advance(250);
  expect(said.filter((line) => line.includes('could not be written'))).toHaveLength(1);
  release();
  traffic.record(profile, observed('/two', 10, 500));
  const { items, total } = traffic.list(everything);
  expect(items.map(({ id, url }) => [id, new URL(url).pathname])).toEqual([
    [3, '/two'],
    [1, '/before'],
  ]);
  expect(total).toBe(2);
  expect(traffic.list({ ...everything, failedOnly: true }).items).toMatchObject([{ id: 3 }]);
  expect(traffic.list({ ...everything, text: 'BEFORE' }).items).toMatchObject([{ id: 1 }]);
  expect(traffic.list({ ...everything, beforeId: 3, limit: 1 }).items).toMatchObject([{ id: 1 }]);
  expect(traffic.get(1).responseBody).toBe('xxxxxxxxxx');
});

test("the app's own successful requests are hidden on request, and words with a minus sign exclude", () => {
  const { traffic } = openLog();
  const background = (path: string, status = 200) => {
    const { request, ...rest } = observed(path, 10, status);
    traffic.record(profile, { ...rest, request: { ...request, isBackground: true } });
  };
  traffic.record(profile, observed('/v2/weather/?a=1'));
  background('/sandbox/state');
  background('/v2/delivery/', 503);
  traffic.record(profile, observed('/v2/monitors/'));
  const pathsOf = (filter: Partial<typeof everything> & { text?: string }) =>
    traffic.list({ ...everything, includesBackground: false, ...filter }).items.map(({ url }) => new URL(url).pathname);
  // A failure is never hidden.
  expect(pathsOf({})).toEqual(['/v2/monitors/', '/v2/delivery/', '/v2/weather/']);
  expect(pathsOf({ includesBackground: true })).toHaveLength(4);
  expect(pathsOf({ text: 'V2 -delivery' })).toEqual(['/v2/monitors/', '/v2/weather/']);
  expect(pathsOf({ text: '-monitors -weather - ' })).toEqual(['/v2/delivery/']);
});

test('what came before the app ends is on disk, and what comes after breaks nothing', () => {
  const { clock, file, traffic, database } = openLog();
  const { response: _, ...request } = observed('/');
  const failed = { ...request, failure: new AppFailure('NETWORK', 'The app ends.') };
  traffic.record(profile, failed);
  traffic.close();
  database.close();
  traffic.record(profile, failed);
  expect(() => clock.advance(10_000)).not.toThrow();
  const db = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => db.close());
  expect(written(db)).toBe(1);
});

test('drops the oldest when there are too many, and goes on counting after a restart', () => {
  const folder = temporaryFolder();
  const limits = { entries: 100, bytes: 1024 * 1024 };
  const { clock, traffic, database } = openLog(folder, limits);
  for (let index = 0; index < 400; index += 1) {
    traffic.record(profile, observed(`/${index}`));
    if (index % 10 === 0) clock.advance(250);
  }
  const { items, total } = traffic.list(everything);
  expect(total).toBeLessThanOrEqual(100);
  expect([items[0]?.id, items.length]).toEqual([400, total]);
  traffic.clear();
  database.close();
  expect(openLog(folder).traffic.list(everything)).toEqual({ items: [], total: 0, newestId: 400 });
});
