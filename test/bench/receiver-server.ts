// One server under measurement, in a process of its own: `bare` answers from node:http and stores nothing, `receiver` is
// the app's receiver. Prints its port; answers each line of stdin with its CPU time so far and its memory.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '#contract/clock.ts';
import { openAppDatabase } from '#core/database/app-database.ts';
import { closedAccess } from '#core/receiver/listen-access.ts';
import { receiverLimits } from '#core/receiver/receiver-limits.ts';
import { runReceiver } from '#core/receiver/run-receiver.ts';

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
  const { port = 0 } = await receiver.handle({ kind: 'listen', call: 1, port: 0, access: closedAccess });
  return port;
}

async function startBare(): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(200, { 'content-length': '0' });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, resolve));
  return (server.address() as AddressInfo).port;
}

console.log(kind === 'bare' ? await startBare() : await startReceiver());
createInterface({ input: process.stdin }).on('line', () => {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ cpuMicroseconds: user + system, rssBytes: process.memoryUsage().rss }));
});
