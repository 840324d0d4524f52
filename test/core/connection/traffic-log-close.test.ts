// The traffic log at the end of the app: what came before is on disk, and what comes after breaks nothing.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { ObservedRequest } from '#core/http/http-sender.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createTrafficLog } from '#core/traffic/traffic-log.ts';
import { quietLog, noSteps } from '../core-harness.ts';
import { createManualClock } from '../manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

test('an exchange that fails because the app ends is not written to a file that is closed', async () => {
  const folder = temporaryFolder();
  const clock = createManualClock();
  const database = openAppDatabase({ file: join(folder, 'app.sqlite'), clock });
  const traffic = createTrafficLog({ db: database.db, clock, log: quietLog, onChanged: () => {} });
  const profile = { id: 'sandbox', name: 'Sandbox' };
  const observed: ObservedRequest = {
    request: { method: 'GET', url: 'http://127.0.0.1:9/v2/weather/', headers: [] },
    startedAt: clock.now(),
    tookMs: 1,
    steps: noSteps,
    failure: new AppFailure('NETWORK', 'The app ends.'),
  };
  traffic.record(profile, observed);
  traffic.close();
  const { total } = database.db.prepare('SELECT count(*) AS total FROM exchanges').get() as { total: number };
  database.close();
  traffic.record(profile, observed);
  expect(() => clock.advance(10_000)).not.toThrow();
  expect(total).toBe(1);
});
