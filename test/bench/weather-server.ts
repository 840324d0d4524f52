// A server for weather.bench.ts in a process of its own: our service, or bare node:http that sends the same bytes. Prints one
// JSON line when ready, and its CPU time whenever a line arrives.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pino } from 'pino';
import { systemClock } from '#contract/clock.ts';
import { configWith } from '#service/config.ts';
import { createService } from '#service/create-service.ts';

const [, , kind = 'service', answerFile = ''] = process.argv;

async function startService(): Promise<object> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rainbell-bench-'));
  process.on('exit', () => rmSync(dataFolder, { recursive: true, force: true }));
  const service = await createService({
    config: configWith({ port: 0, dataFolder, provider: 'simulation' }),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    workers: { places: new URL('../../service/places/places-worker.ts', import.meta.url) },
  });
  return service.introduction;
}

async function startBare(): Promise<object> {
  const { readFileSync } = await import('node:fs');
  const bytes = readFileSync(answerFile);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-encoding': 'gzip',
    'content-length': bytes.length,
    etag: '"bare"',
  };
  const server = createServer((request, response) => {
    if (request.headers['if-none-match'] === undefined) response.writeHead(200, headers).end(bytes);
    else response.writeHead(304, { etag: '"bare"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

process.stdout.write(`${JSON.stringify(await (kind === 'bare' ? startBare() : startService()))}\n`);
createInterface({ input: process.stdin }).on('line', () => {
  const { user, system } = process.cpuUsage();
  process.stdout.write(`${JSON.stringify({ cpuMicroseconds: user + system })}\n`);
});
process.stdin.on('end', () => process.exit(0));
