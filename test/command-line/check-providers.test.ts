// `rainbell check-providers` against HTTP servers that respond as the providers do.
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';
import { runRainbell } from './rainbell-process.ts';
import { listen } from '#test/setup/listen.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const port = await listen(server);
  return `http://127.0.0.1:${port}`;
}

/** Whole hours from the recording's present. */
const shiftMs = Math.floor((Date.now() - Date.parse('2025-02-05T20:15:00Z')) / 3_600_000) * 3_600_000;
const asOfNow = (time: string) => new Date(Date.parse(`${time}Z`) + shiftMs).toISOString().slice(0, 16);

it('prints what each provider returned, and exits with 1 if one failed', async () => {
  const recorded = readFileSync(
    `${projectFolder}test/fixtures/open-meteo/clear-night-then-overcast-alps.json`,
    'utf8',
  ).replaceAll(/(?<=")\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?=")/g, asOfNow);
  const asked: (string | undefined)[] = [];
  const RAINBELL_OPEN_METEO_URL = await serve((request, response) => {
    asked.push(request.url);
    response.end(recorded);
  });
  const RAINBELL_MET_NORWAY_URL = await serve((_request, response) => response.writeHead(403).end('Forbidden'));
  const ok = await runRainbell(['check-providers'], { environment: { RAINBELL_OPEN_METEO_URL } });
  expect(ok).toMatchObject({ code: 0, words: '' });
  expect(ok.out).toMatch(/^open-meteo +ok +\d+ ms +.+, and \d+ times ahead$/m);
  expect(ok.out).toMatch(/^met-norway +off .*RAINBELL_MET_NORWAY_CONTACT/m);
  expect(asked).toEqual([expect.stringContaining('latitude=59.91')]);
  const environment = {
    RAINBELL_OPEN_METEO_URL,
    RAINBELL_MET_NORWAY_URL,
    RAINBELL_MET_NORWAY_CONTACT: 'ada@example.com',
  };
  const failed = await runRainbell(['check-providers', '--json'], { environment });
  expect(failed.code).toBe(1);
  expect(JSON.parse(failed.out)).toMatchObject({
    providers: [
      { provider: 'open-meteo', outcome: 'ok' },
      { provider: 'met-norway', outcome: 'failed', text: expect.stringContaining('403') },
    ],
  });
});

it('names an invalid setting', async () => {
  const { code, words } = await runRainbell(['check-providers'], {
    environment: { RAINBELL_OPEN_METEO_URL: 'nowhere' },
  });
  expect({ code, words }).toEqual({ code: 2, words: expect.stringMatching(/^error: RAINBELL_OPEN_METEO_URL /) });
});
