// A real store with callbacks, and what judges and finds them.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackIndex } from '#core/callbacks/callback-index.ts';
import { createCallbackSearch } from '#core/callbacks/callback-search.ts';
import { type CallbackValidator, createCallbackValidator } from '#core/callbacks/callback-validator.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import type { ReceivedCallback } from '#core/receiver/requests/received-callback.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { monitorBody } from './callback-harness.ts';
import { noFacts } from './stored-callback.ts';

type Validator = Parameters<typeof createCallbackValidator>[0];
type Facts = { facts?: Partial<ReturnType<Validator['facts']>> } & Partial<Validator['monitors']>;
type Index = Parameters<typeof createCallbackIndex>[0];

export const noon = Date.parse('2026-11-21T12:00:00Z');
export const ownUri = 'http://127.0.0.1/hooks/a';

export function receivedCallback(
  changes: Partial<Omit<ReceivedCallback, 'body'>> & { body?: string | Buffer; id?: string; headers?: string[] } = {},
): ReceivedCallback {
  const { id = 'precipitation_1', body = JSON.stringify(monitorBody(id, ownUri)), headers = [], ...rest } = changes;
  return {
    receivedAt: noon,
    method: 'POST',
    target: '/hooks/a',
    httpVersion: '1.1',
    remoteAddress: '127.0.0.1',
    rawHeaders: ['content-type', 'application/json', 'host', '127.0.0.1', ...headers],
    truncated: false,
    answeredStatus: 200,
    ...rest,
    body: Buffer.from(body),
  };
}

/** `prepare` runs before the pages are opened. */
export function openCallbackStore(
  rows: readonly ReceivedCallback[],
  facts: Facts & Partial<Pick<Index, 'verdictOf' | 'now' | 'onJudged'>> & { prepare?: string } = {},
) {
  const {
    prepare = '',
    verdictOf = (id) => validator.validateById(id).verdictName,
    now,
    onJudged = () => {},
    facts: given,
    ...rest
  } = facts;
  const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock: systemClock });
  onTestFinished(() => database.close());
  const { db } = database;
  const writer = createCallbackWriter(db);
  for (let from = 0; from < rows.length; from += 500) writer.append(rows.slice(from, from + 500));
  db.exec(prepare);
  const pages = createCallbackPages(db);
  let reads = 0;
  const get: typeof pages.get = (id) => {
    reads += 1;
    return pages.get(id);
  };
  const monitors = new Map([['precipitation_1', ownUri]]);
  const index = createCallbackIndex({ db, verdictOf, onJudged, ...(now && { now }) });
  const validator: CallbackValidator = createCallbackValidator({
    pages: { ...pages, get },
    sameEvent: index.sameEvent,
    monitors: { urls: () => monitors, listedAt: () => Infinity, placeOf: () => undefined, ...rest },
    facts: () => ({ ...noFacts, endpoints: [], publicBase: null, isDamaged: false, ...given }),
    onOutdated: () => {},
  });
  const search = createCallbackSearch({ pages, validator, index });
  return { db, writer, pages, validator, index, search, reads: () => reads };
}
