// The receiver in a thread of its own, as the app has it (`thread`), or in the main thread (`main`), for loop-delay.bench.ts.
// Prints its port; answers each line of stdin with how late the main thread came to its timers since the line before.
import { once } from 'node:events';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { pino } from 'pino';
import { systemClock } from '#shared/time/clock.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { closedAccess } from '#core/receiver/access/listen-access.ts';
import { receiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { createReceiver } from '#core/receiver/server/receiver.ts';
import { runReceiver } from '#core/receiver/server/run-receiver.ts';

const [kind, folder = ''] = process.argv.slice(2);
const file = join(folder, 'app.sqlite');
const rules = { pause: 'off', rules: [] } as const;
const resolutionMs = 1;

async function startInThread(): Promise<number> {
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  const receiver = createReceiver({
    workerUrl: new URL('../../core/receiver/server/receiver-worker.ts', import.meta.url),
    file,
    port: 0,
    limits: () => receiverLimits,
    rules: () => ({ ...rules, rules: [] }),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    onState: () => resolve(),
    onChanged: () => {},
  });
  await listening;
  return receiver.port() ?? 0;
}

async function startInMain(): Promise<number> {
  const parts = { file, limits: receiverLimits, rules: { ...rules, rules: [] }, clock: systemClock, post: () => {} };
  const { port = 0 } = await runReceiver(parts).handle({ kind: 'listen', call: 1, port: 0, access: closedAccess });
  return port;
}

openAppDatabase({ file, clock: systemClock });
console.log(kind === 'main' ? await startInMain() : await startInThread());
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
delay.enable();
const lines = createInterface({ input: process.stdin });
for (;;) {
  await once(lines, 'line');
  // What is recorded is the time between two looks, of which the resolution is planned.
  console.log(Math.max(0, delay.percentile(99) / 1e6 - resolutionMs));
  delay.reset();
}
