// A server for weather.bench.ts in a process of its own: `service` is our service with simulated weather, `open` is the same
// HTTP server and lean route for one answer from a file, without a token check. Prints one JSON line when ready.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { systemClock } from '#shared/time/clock.ts';
import { configWith } from '#service/config/config.ts';
import { createService } from '#service/app/create-service.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { apiCorsHeaders, bindSocket, createHttpServer } from '#service/http/server.ts';
import { createWeatherFastPath } from '#service/weather/response/weather-fast-path.ts';
import { createWeatherResponse } from '#service/weather/response/weather-response.ts';

const [, , kind = 'service', answerFile = '', address = ''] = process.argv;
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

async function startOpen(): Promise<object> {
  const answer = createWeatherResponse(gunzipSync(readFileSync(answerFile)).toString());
  await answer.bytes('gzip');
  const lean = createWeatherFastPath({
    peekResponse: () => answer,
    countRequest: () => ({}),
    corsHeaders: apiCorsHeaders,
  });
  lean.remember(address, 'cell');
  const socket = await bindSocket('127.0.0.1', 0, undefined);
  const { server, attach } = createHttpServer(socket, log);
  await server.ready();
  attach((request, response) => lean.respond(request, response));
  return { baseUrl: socket.baseUrl };
}

process.stdout.write(`${JSON.stringify(await (kind === 'open' ? startOpen() : startService()))}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
