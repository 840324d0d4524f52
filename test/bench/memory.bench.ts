// Goal 22 of docs/performance.md: resident memory of the headless app one minute after startup, as `npm run headless` starts
// it after a build, with its service and receiver, and no screen open.
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type BenchOptions, type BenchRow, assessFigures, median, repeat } from './bench-row.ts';
import { startRainbell } from './child-server.ts';
import { buildScreens } from './screen-host.ts';

export async function bench({ extent, say }: BenchOptions): Promise<BenchRow[]> {
  await buildScreens();
  const seen = await repeat(extent, { warmUps: 0, whole: 3 }, async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'rainbell-memory-'));
    await using server = await startRainbell('headless', folder.path, {
      env: { RAINBELL_PROVIDER: 'simulation' },
      onOneCore: false,
    });
    await pause(extent === 'trial' ? 0 : 60_000);
    const megabytes = server.usage().rssBytes / 2 ** 20;
    say(`${megabytes.toFixed(0)} MB`);
    return megabytes;
  });
  const what = 'resident memory of the headless app one minute after startup';
  return [assessFigures({ goal: '22', what, most: 150, unit: 'MB', note: `${median(seen).toFixed(0)} MB` }, seen)];
}
