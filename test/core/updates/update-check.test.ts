import { createServer, type RequestListener } from 'node:http';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { productVersion, projectPage } from '#shared/project.ts';
import { projectFolder } from '#scripts/tool.mjs';
import { createUpdateCheck, rainbellReleases } from '#core/updates/update-check.ts';
import { quietLog, startCore, testJsonReader } from '../core-harness.ts';
import { createManualClock } from '../manual-clock.ts';
import { listen } from '#test/setup/listen.ts';

const dayMs = 24 * 60 * 60 * 1000;

async function startReleases(respond: RequestListener): Promise<{ latestUrl: string; pageUrl: string }> {
  const server = createServer(respond);
  const port = await listen(server);
  const base = `http://127.0.0.1:${port}`;
  return { latestUrl: `${base}/latest`, pageUrl: 'https://releases.example/rainbell' };
}

function json(value: unknown): RequestListener {
  return (_request, response) => void response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
}

async function start(respond: RequestListener, options: Partial<Parameters<typeof createUpdateCheck>[0]> = {}) {
  const check = createUpdateCheck({
    currentVersion: '1.2.3',
    source: await startReleases(respond),
    json: testJsonReader(),
    isAutomatic: () => false,
    onChanged: () => {},
    clock: createManualClock(),
    log: quietLog,
    ...options,
  });
  onTestFinished(check.close);
  return check;
}

const checkAgainst = async (respond: RequestListener) => (await start(respond)).check();

describe('update check', () => {
  it('asks the repository that package.json names', () => {
    const { homepage, version } = JSON.parse(readFileSync(`${projectFolder}/package.json`, 'utf8')) as Record<
      string,
      unknown
    >;
    expect({ homepage, version }).toEqual({ homepage: projectPage, version: productVersion });
    expect(rainbellReleases.latestUrl).toContain(new URL(projectPage).pathname);
  });

  it.each([
    ['v1.2.4', '1.2.4'],
    ['1.10.0', '1.10.0'],
    ['v2.0.0', '2.0.0'],
  ])('reports release %s as newer than 1.2.3 and links to its page', async (tag, version) => {
    const state = await checkAgainst(json({ tag_name: tag, html_url: 'https://attacker.example/' }));
    expect(state).toMatchObject({
      state: 'available',
      version,
      pageUrl: `https://releases.example/rainbell/tag/${tag}`,
    });
  });

  it.each(['v1.2.3', 'v1.2.2', '0.9.9', 'v1.2.3-beta.1'])('treats release %s as no update for 1.2.3', async (tag) => {
    expect(await checkAgainst(json({ tag_name: tag }))).toMatchObject({ state: 'current' });
  });

  it('names the release host and its status if the check fails', async () => {
    const state = await checkAgainst((_request, response) => void response.writeHead(403).end());
    expect(state).toMatchObject({ state: 'failed', problem: { code: 'PROTOCOL' } });
    expect(state.state === 'failed' && state.problem.message).toMatch(
      /^Couldn’t check for updates: 127\.0\.0\.1:\d+ returned HTTP 403\./,
    );
  });

  it.each([
    ['not JSON', '<html>'],
    ['no release', '{"message":"Not Found"}'],
    ['a tag that is no text', '{"tag_name":7}'],
    ['a tag that leads to another page', '{"tag_name":"9.0.0/../../evil"}'],
  ])('fails with a sentence if the response is %s', async (_name, body) => {
    const state = await checkAgainst((_request, response) => void response.end(body));
    expect(state).toMatchObject({ state: 'failed', problem: { code: 'PROTOCOL' } });
  });

  it('checks 30 s after the start of an installed app and then once a day, while the user wants that', async () => {
    const clock = createManualClock();
    let requests = 0;
    let isAutomatic = true;
    let answered = () => {};
    const respond: RequestListener = (_request, response) => {
      requests += 1;
      response.end('{"tag_name":"v1.0.0"}');
    };
    const check = await start(respond, { isAutomatic: () => isAutomatic, onChanged: () => answered(), clock });
    const nextAnswer = () => new Promise<void>((resolve) => void (answered = resolve));
    expect(requests).toBe(0);
    const first = nextAnswer();
    clock.advance(30_000);
    await first;
    expect(requests).toBe(1);
    const second = nextAnswer();
    clock.advance(dayMs);
    await second;
    expect(requests).toBe(2);
    isAutomatic = false;
    clock.advance(3 * dayMs);
    // A request that was sent above would arrive before this one.
    await check.check();
    expect(requests).toBe(3);
  });

  it('reaches the screens through the status', async () => {
    const releases = { source: await startReleases(json({ tag_name: 'v7.0.0' })), isInstalled: false };
    const { client, statusWhere } = await startCore({ releases });
    expect((await client.app.status()).update).toEqual({ state: 'unchecked' });
    await client.updates.check();
    expect((await statusWhere(({ update }) => update.state === 'available')).update).toMatchObject({
      version: '7.0.0',
    });
  });
});
