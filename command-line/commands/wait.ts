// `rainbell wait`: for scripts that must know whether a callback arrived.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { CallbackSummary } from '@rainbell/contract/app-rpc';
import type { Clock } from '@rainbell/shared';
import { writePrivateFile } from '@rainbell/shared/node';
import { readDataFolder, readPort, UsageError, type ParsedArguments } from '../terminal/arguments.ts';
import { type Arrivals, openArrivals } from '../session/arrivals.ts';
import { commonOptions, type Command } from '../terminal/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { printCallback, readQuery, wholeOf } from './listen.ts';
import { readDuration, readSince } from '../terminal/read-time.ts';

/** A script often starts to wait just after it has made the callback happen. */
const lookBackMs = 5000;
const maxCallbacks = 10_000;
/** Far more than arrive in the seconds that a wait looks back. */
const maxReturned = 10_000;

export const wait: Command = {
  name: 'wait',
  usage:
    '[--monitor ID] [--path TEXT] [--query QUERY] [--count N] [--timeout TIME] [--since WHEN] [--port N] [--json] [--data DIR]',
  summary: 'Wait for a callback and print it (exit code 1 on timeout)',
  details: [
    'If the app is running, this command reads the callbacks that the app stores. Otherwise, it listens on the port\n' +
      'that rainbell monitors create uses for callback URLs.',
    `A callback from the last ${lookBackMs / 1000} s also counts, unless an earlier wait with this data folder returned it.\n` +
      '--since now counts only new callbacks; --since with a time counts all callbacks since then.',
    'With --json: one object per callback, as printed by listen --json.',
  ],
  options: {
    monitor: { value: 'ID', words: 'only callbacks that name this monitor, such as precipitation_12' },
    path: { value: 'TEXT', words: 'only callbacks whose path or query contains this text' },
    query: { value: 'QUERY', words: 'only callbacks that match this query, as in the app’s search box' },
    count: { value: 'N', words: 'number of callbacks to wait for (default: 1)' },
    timeout: { value: 'TIME', words: 'how long to wait: seconds, or 90s, 5m, 2h (default: 60s)' },
    since: {
      value: 'WHEN',
      words: 'now, a time (2026-11-21T08:00:00Z), or how long ago (5m): count callbacks from then on',
    },
    port: commonOptions.port,
    json: commonOptions.json,
    data: commonOptions.data,
  },
  examples: ['wait --monitor precipitation_12 --timeout 5m', 'wait --path /hooks --count 3 --json'],
  async run(given, context) {
    const { clock, output, signal } = context;
    const wanted = readWanted(given);
    const timeoutMs = readDuration('timeout', given.text('timeout') ?? '60');
    const sinceText = given.text('since');
    const since = sinceText === undefined ? clock.now() - lookBackMs : readSince('since', sinceText, clock.now());
    const dataFolder = readDataFolder(given);
    const arrivals = await openArrivals({
      dataFolder,
      port: readPort(given),
      isDefaultPortRequired: true,
      context,
      tell: output.info,
    });
    const returned = openReturnedCallbacks(dataFolder);
    const found: CallbackSummary[] = [];
    try {
      const isNew = (callback: CallbackSummary) => sinceText !== undefined || !returned.has(callback);
      for await (const callback of matching(arrivals, wanted, { since, isNew, clock, timeoutMs, signal })) {
        found.push(callback);
        const whole = await arrivals.read((client) => wholeOf(client, callback.id));
        printCallback(output, callback, { isJson: given.isSet('json'), whole });
        if (found.length === wanted.count) {
          returned.add(found);
          return exitCodes.done;
        }
      }
    } finally {
      await arrivals.close();
    }
    if (signal.aborted) return exitCodes.interrupted;
    const seconds = timeoutMs / 1000;
    const result =
      found.length === 0
        ? `No callback arrived within ${seconds} s.`
        : `Only ${found.length} of ${wanted.count} callbacks arrived within ${seconds} s.`;
    output.info([result, ...wanted.conditions].join(' '));
    return exitCodes.no;
  },
};

type Wanted = {
  monitorId: string | undefined;
  path: string | undefined;
  query: string | undefined;
  count: number;
  /** Sentences that describe the condition in the message after a timeout. */
  conditions: readonly string[];
};

function readWanted(given: ParsedArguments): Wanted {
  const [monitorId, path] = [given.text('monitor'), given.text('path')];
  if (monitorId?.trim() === '') throw new UsageError('--monitor must be a monitor’s ID, such as precipitation_12.');
  const count = given.whole('count', 1, maxCallbacks) ?? 1;
  const query = readQuery(given, 'query');
  const conditions = [
    ...(monitorId === undefined ? [] : [`Monitor: ${monitorId}.`]),
    ...(path === undefined ? [] : [`Path contains: “${path}”.`]),
    ...(query === undefined ? [] : [`Query: ${query}.`]),
  ];
  return { monitorId, path: path?.toLowerCase(), query, count, conditions };
}

const returnedSchema = z.array(z.string());

/**
 * Remembers which callbacks waits have returned, because one that looks back must not return an earlier step's. In a file, because the
 * app may hold the database; a file that cannot be read counts as empty.
 */
function openReturnedCallbacks(dataFolder: string) {
  const file = join(dataFolder, 'returned-callbacks.json');
  const read = (): string[] => {
    try {
      return returnedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      return [];
    }
  };
  const known = new Set(read());
  // A new database counts from 1 again.
  const keyOf = ({ id, receivedAt }: CallbackSummary) => `${id} ${receivedAt}`;
  return {
    has: (callback: CallbackSummary) => known.has(keyOf(callback)),
    /** Written at once, after those that another wait wrote in the meantime. */
    add(callbacks: readonly CallbackSummary[]) {
      const keys = new Set([...read(), ...callbacks.map(keyOf)]);
      writePrivateFile(file, `${JSON.stringify([...keys].slice(-maxReturned))}\n`);
    },
  };
}

/** Yields matching callbacks since a time and those that arrive, in order, until the timeout. */
export async function* matching(
  arrivals: Arrivals,
  { monitorId, path, query = '' }: Pick<Wanted, 'monitorId' | 'path' | 'query'>,
  options: {
    since: number;
    isNew: (callback: CallbackSummary) => boolean;
    clock: Clock;
    timeoutMs: number;
    signal: AbortSignal;
  },
): AsyncGenerator<CallbackSummary> {
  const { since, isNew, clock, timeoutMs, signal } = options;
  const fits = ({ monitorId: claimed, target, refusal }: CallbackSummary) =>
    refusal === null &&
    (monitorId === undefined || claimed === monitorId) &&
    (path === undefined || target.toLowerCase().includes(path));
  for await (const callback of await arrivals.since(since, query))
    if (fits(callback) && isNew(callback)) yield callback;
  const late = new AbortController();
  const cancelTimer = clock.after(timeoutMs, () => late.abort());
  try {
    for await (const callback of arrivals.until(AbortSignal.any([signal, late.signal]), query))
      if (fits(callback)) yield callback;
  } finally {
    cancelTimer();
  }
}
