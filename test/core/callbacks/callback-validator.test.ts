// When the verdicts of stored callbacks are made again: after a change of the monitors, not after each list of the same ones.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackValidator } from '#core/callbacks/callback-validator.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { monitorBody } from './callback-harness.ts';

type Monitors = ReadonlyMap<string, string | null>;
const uri = 'http://127.0.0.1/hooks/a';

/** A store with one callback of precipitation_1. */
function start() {
  const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock: systemClock });
  onTestFinished(() => database.close());
  createCallbackWriter(database.db).append([
    {
      receivedAt: Date.parse('2026-11-21T12:00:00Z'),
      method: 'POST',
      target: '/hooks/a',
      httpVersion: '1.1',
      remoteAddress: '127.0.0.1',
      rawHeaders: ['content-type', 'application/json', 'host', '127.0.0.1'],
      truncated: false,
      answeredStatus: 200,
      body: Buffer.from(JSON.stringify(monitorBody('precipitation_1', uri))),
    },
  ]);
  const pages = createCallbackPages(database.db);
  let reads = 0;
  let listedAt = Infinity;
  let monitors: Monitors | undefined;
  const validator = createCallbackValidator({
    pages: {
      ...pages,
      get(id) {
        reads += 1;
        return pages.get(id);
      },
    },
    monitors: () => monitors,
    monitorsListedAt: () => listedAt,
    signing: () => ({ secrets: [], isClockMovable: false }),
  });
  /** The verdict with this list, and whether the callback was read for it. */
  return (list: Monitors | undefined, at = Infinity) => {
    const before = reads;
    monitors = list;
    listedAt = at;
    const { verdict } = validator.validateById(1);
    return { verdict, isRead: reads > before };
  };
}

test('the same map of monitors leaves verdicts as they are', () => {
  const validateWith = start();
  const list = new Map([['precipitation_1', uri]]);
  const first = validateWith(list);
  expect(first.isRead).toBe(true);
  expect(validateWith(list)).toEqual({ ...first, isRead: false });
});

test('a newer list decides of a monitor that the one before did not have, although nothing in it changed', () => {
  const validateWith = start();
  const list = new Map([['precipitation_2', uri]]);
  const noon = Date.parse('2026-11-21T12:00:00Z');
  expect(validateWith(list, noon - 1).isRead).toBe(true);
  expect(validateWith(list, noon - 1).isRead).toBe(false);
  expect(validateWith(list, noon + 1).isRead).toBe(true);
  expect(validateWith(list, noon + 2).isRead).toBe(false);
});

test.each<[string, Monitors | undefined, Monitors | undefined]>([
  [
    'one monitor more',
    new Map([['precipitation_1', uri]]),
    new Map([
      ['precipitation_1', uri],
      ['precipitation_2', uri],
    ]),
  ],
  [
    'one monitor less',
    new Map([
      ['precipitation_1', uri],
      ['precipitation_2', uri],
    ]),
    new Map([['precipitation_1', uri]]),
  ],
  ['another monitor instead', new Map([['precipitation_1', uri]]), new Map([['precipitation_2', uri]])],
  ['another callback URL', new Map([['precipitation_1', uri]]), new Map([['precipitation_1', `${uri}/b`]])],
  ['no callback URL anymore', new Map([['precipitation_1', uri]]), new Map([['precipitation_1', null]])],
  ['the first monitors', undefined, new Map([['precipitation_1', uri]])],
  ['monitors that are unknown now', new Map([['precipitation_1', uri]]), undefined],
])('a list with %s makes verdicts again', (_, before, after) => {
  const validateWith = start();
  validateWith(before);
  const expected = start()(after);
  expect(validateWith(after)).toEqual(expected);
  expect(expected.isRead).toBe(true);
});

test('a callback of a monitor that is no longer in the list gets a warning', () => {
  const validateWith = start();
  const known = validateWith(new Map([['precipitation_1', uri]]));
  const unknown = validateWith(new Map([['precipitation_2', uri]]));
  expect(known.verdict).not.toBe('warning');
  expect(unknown.verdict).toBe('warning');
});
