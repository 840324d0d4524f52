// `rainbell wait`: for scripts that must know whether a monitor's callback came.
import type { Clock } from '#shared/time/clock.ts';
import type { StoredSummary } from '#core/receiver/callback-pages.ts';
import { parseTimestamp } from '#contract/service-api/timestamp.ts';
import { readDataFolder, readPort, requireArguments, UsageError, type ParsedArguments } from './arguments.ts';
import { openArrivals, type Arrivals } from './arrivals.ts';
import { commonOptions, type Command } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { printCallback } from './listen.ts';
import { readDuration, readSince } from './read-time.ts';

export const wait: Command = {
  name: 'wait',
  usage: '--monitor ID [--timeout 60] [--since WHEN] [--port N] [--json] [--data DIR]',
  summary: 'Waits for a callback of one monitor: exit code 0 and the callback when it came, 1 when not in time.',
  details: [
    '  Works beside the running app, on its store, and without it: then this command listens itself.\n' +
      '  Callbacks that came before the command do not count, unless --since reaches back to them.',
  ],
  options: {
    monitor: { value: 'ID', words: 'the monitor’s id, such as precipitation_12' },
    timeout: { value: 'TIME', words: 'how long to wait: seconds, or 90s, 5m, 2h; 60 when not given' },
    since: {
      value: 'WHEN',
      words: 'count earlier callbacks too: from an instant (2026-11-21T08:00:00Z) or so long ago (5m)',
    },
    port: commonOptions.port,
    json: commonOptions.json,
    data: commonOptions.data,
    help: commonOptions.help,
  },
  async run(given, { clock, output, signal, workers }) {
    requireArguments(given, []);
    const monitorId = readMonitor(given);
    const timeoutText = given.text('timeout') ?? '60';
    const timeoutMs = readDuration('timeout', timeoutText);
    const sinceText = given.text('since');
    const since = sinceText === undefined ? undefined : readSince('since', sinceText, clock.now());
    const port = readPort(given);
    const arrivals = await openArrivals({ dataFolder: readDataFolder(given), port, clock, workers, tell: output.info });
    try {
      const found =
        (since === undefined ? undefined : earlier(arrivals, monitorId, since)) ??
        (await next(arrivals, monitorId, { clock, timeoutMs, signal }));
      if (found) {
        printCallback(output, found, given.isSet('json'));
        return exitCodes.done;
      }
    } finally {
      await arrivals.close();
    }
    if (signal.aborted) return exitCodes.interrupted;
    output.info(`No callback of ${monitorId} came within ${timeoutMs / 1000} s.`);
    return exitCodes.no;
  },
};

function readMonitor(given: ParsedArguments): string {
  const monitorId = given.text('monitor');
  if (monitorId === undefined) throw new UsageError('wait needs to know which monitor: --monitor ID.');
  if (monitorId.trim() === '') throw new UsageError('--monitor must be a monitor’s id, such as precipitation_12.');
  return monitorId;
}

function earlier({ store }: Arrivals, monitorId: string, since: number): StoredSummary | undefined {
  const newest = store.newestOf(monitorId);
  const receivedAt = newest && parseTimestamp(newest.receivedAt);
  return receivedAt !== undefined && receivedAt >= since ? newest : undefined;
}

async function next(
  arrivals: Arrivals,
  monitorId: string,
  { clock, timeoutMs, signal }: { clock: Clock; timeoutMs: number; signal: AbortSignal },
): Promise<StoredSummary | undefined> {
  const late = new AbortController();
  const cancelTimer = clock.after(timeoutMs, () => late.abort());
  try {
    for await (const callback of arrivals.until(AbortSignal.any([signal, late.signal]))) {
      if (callback.monitorId === monitorId) return callback;
    }
    return undefined;
  } finally {
    cancelTimer();
  }
}
