// Our service with simulated weather, for weather.bench.ts, in a process of its own. Prints one JSON line when ready.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '#shared/time/clock.ts';
import { configWith } from '#service/config/config.ts';
import { createService } from '#service/app/create-service.ts';
import { introductionOf } from '#service/app/embedded-service.ts';

const log = pino({ level: 'silent' });

async function startService(): Promise<object> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rainbell-bench-'));
  process.on('exit', () => rmSync(dataFolder, { recursive: true, force: true }));
  const service = await createService({
    config: configWith({ port: 0, dataFolder, provider: 'simulation' }),
    clock: systemClock,
    log,
    workers: { places: new URL('../../service/places/places-worker.ts', import.meta.url) },
  });
  return introductionOf(service);
}

process.stdout.write(`${JSON.stringify(await startService())}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
