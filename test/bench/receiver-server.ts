// One server under measurement in a process of its own: `smallest` stores and does nothing else, `receiver` is the app's receiver.
// Prints its port.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '#shared/time/clock.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { closedAccess, receiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { runReceiver } from '#core/receiver/server/run-receiver.ts';
import { createSmallestReceiver } from './smallest-receiver.ts';

const [kind, folder = ''] = process.argv.slice(2);

async function startReceiver(): Promise<number> {
  const file = join(folder, 'app.sqlite');
  openAppDatabase({ file, clock: systemClock });
  const receiver = runReceiver({
    file,
    limits: receiverLimits,
    rules: { pause: 'off', rules: [] },
    clock: systemClock,
    post: () => {},
  });
  const port = await receiver.listen(0, closedAccess);
  return port;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, resolve));
  return (server.address() as AddressInfo).port;
}

if (kind === 'smallest') console.log(await listen(createSmallestReceiver(join(folder, 'smallest.sqlite'))));
else console.log(await startReceiver());
