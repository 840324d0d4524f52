// A process that watches and delivers, without HTTP of its own: started by tests that need several on one database, or
// that kill one. Its weather is rain in the cells that its parent names; the parent sends it messages.
import { pino } from 'pino';
import { z } from 'zod';
import { systemClock } from '#shared/time/clock.ts';
import { configWith } from '#service/config/config.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { createMonitors } from '#service/app/create-callbacks.ts';
import { openSeal } from '#service/secrets/secret-seal.ts';
import { cellOf } from './cell-of.ts';

const orderSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rain'), cells: z.array(z.string()) }),
  z.object({ kind: z.literal('sweep') }),
  z.object({ kind: z.literal('close') }),
]);

const locationSchema = z.union([z.strictObject({ file: z.string() }), z.strictObject({ url: z.string() })]);
const location = locationSchema.parse(JSON.parse(process.argv[2] ?? ''));
const log = pino({ level: 'warn' }, pino.destination(2));
const database = await openServiceDatabase({ ...location, clock: systemClock, log });
let raining = new Set<string>();
const monitors = createMonitors({
  inbox: { signingKey: Buffer.alloc(32, 1), baseUrl: 'http://127.0.0.1' },
  config: configWith({ dataFolder: '/nowhere' }),
  database,
  clock: systemClock,
  log,
  policy: { kind: 'local', allowlist: [], ownPort: 0 },
  seal: openSeal,
  cellOf,
  precipitationAt: async (place) => ({ isPrecipitating: raining.has(cellOf(place)) }),
  providerPause: () => undefined,
  requireBearer: async () => {},
  isStillValid: async () => true,
  limitOf: async () => ({ limit: 0, plan: undefined }),
  random: Math.random,
  onAttempt: () => {},
});
monitors.start();

async function obey(message: unknown): Promise<void> {
  const order = orderSchema.parse(message);
  if (order.kind === 'rain') raining = new Set(order.cells);
  if (order.kind === 'sweep') await monitors.sweepNow();
  if (order.kind === 'close') {
    await monitors.close(5_000);
    await database.close();
    process.disconnect();
    return;
  }
  process.send?.({ done: order.kind });
}

process.on('message', (message) => void obey(message));
process.send?.({ done: 'start' });
