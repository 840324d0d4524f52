// `operator setup`, and `--home` as a user meets it: the link that it prints, from another computer of the network, where the receiver is.
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';
import { hiddenFields } from '#test/service/oauth/dialog-browser.ts';
import { operator } from '#test/service/operator/operator-process.ts';
import { endWithTest } from '#test/setup/end-with-test.ts';
import { missingLan, startLan } from '#test/setup/lan.ts';
import { runEntry } from '#test/setup/run-entry.ts';
import { unreachableProviders } from '#test/stories/service-process.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { fetchToken } from '#test/service/monitor-service.ts';
import { startOwnService } from '#test/service/start-own-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

async function startHome() {
  const dataFolder = temporaryFolder();
  const home = { isHome: true, host: '0.0.0.0', callbackLan: 'on', simulatedRain: 'off' } as const;
  // Loopback is not the LAN.
  const { announcement } = await startOwnService({ ...home, dataFolder, callbackAllowlist: ['127.0.0.1'] });
  const { port } = new URL(announcement.baseUrl);
  const run = (words: string) => operator(dataFolder, words, '', { RAINBELL_PORT: port });
  return { run, baseUrl: `http://127.0.0.1:${port}` };
}

it('creates an account, a monitor, and secrets with one command, and sends a test event', async () => {
  const endpoint = await startCallbackEndpoint((_callback, response) => response.end('closed the awning'));
  const { run, baseUrl } = await startHome();
  const command = `setup --place 59.91,10.75 --callback ${endpoint.url} --events started,ended`;
  const first = await run(`--json ${command}`);
  expect([first.code, first.complaint]).toEqual([0, expect.not.stringContaining('error')]);
  const made = JSON.parse(first.output) as Record<string, string>;
  expect(made).toMatchObject({
    monitorId: 'precipitation_1',
    test: { http_status: 200, answer: 'closed the awning', isGood: true },
    username: 'home',
    password: expect.stringMatching(/^\w{24}$/),
    webhookSecret: expect.stringMatching(/^whsec_/),
  });
  const [received] = await endpoint.waitFor(1);
  expect(JSON.parse(received?.body ?? '')).toMatchObject({ data: { is_test: true } });
  const { clientId = '', clientSecret = '' } = made;
  await fetchToken(baseUrl, { clientId, clientSecret });

  const second = await run(command);
  expect(second.code).toBe(0);
  expect(second.output).toMatch(
    /^Monitor precipitation_2: 59\.91, 10\.75 → http:\S+ \(started,ended\)\nTest event: 200 OK after \d+ ms: closed the awning\n$/,
  );
});

it('keeps the monitor and exits with 1 if the test event fails, and says what else is wrong', async () => {
  const endpoint = await startCallbackEndpoint((_callback, response) => response.writeHead(404).end('no such webhook'));
  const { run } = await startHome();
  const failed = await run(`setup --place Oslo --callback ${endpoint.url} --payload slack`);
  expect([failed.code, failed.output]).toEqual([
    1,
    expect.stringMatching(
      /^Monitor \S+ Oslo, Norway, 59\.91\d*, 10\.7\d* → [^]*Test event: 404 Not Found after \d+ ms: no such webhook/,
    ),
  ]);
  for (const [command, code, words] of [
    ['setup --place Nowhereville --callback http://127.0.0.1/', 2, '--place: No town has this name'],
    ['setup --place Oslo --callback http://169.254.169.254/', 1, 'callback_uri is not allowed'],
    [`setup --place Oslo --callback ${endpoint.url} --username bob`, 1, 'There is no account with that name'],
  ] as const) {
    const result = await run(command);
    expect([command, result.code, result.complaint]).toEqual([command, code, expect.stringContaining(words)]);
  }
});

it.skipIf(missingLan())('the link leads a browser on another computer to a test event there', async () => {
  const { spawnService: spawnInLan, peer } = await startLan(['192.168.77.1/24'], {});
  const entry = join(projectFolder, 'service/main.ts');
  const flags = ['--home', '--data', temporaryFolder(), '--provider', 'simulation'];
  const child = spawnInLan(process.execPath, [...runEntry, entry, ...flags], {
    ...unreachableProviders,
    RAINBELL_SIMULATED_RAIN: 'off',
  });
  child.stderr.resume();
  endWithTest(child);
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  const link = /http:\S+/.exec(String(printed))?.[0] ?? '';
  expect(link).toMatch(/^http:\/\/192\.168\.77\.12:8420\/setup\/\?code=/);
  const baseUrl = new URL(link).origin;
  let cookie = '';
  const get = (path: string) => peer.fetch(baseUrl + path, { headers: { cookie } });
  /** The path of the next page, or the text of this one. */
  async function send(page: string, action: string, values: Record<string, string>): Promise<string> {
    const form = new URLSearchParams({ ...hiddenFields(page, action), ...values });
    const headers = { cookie, origin: baseUrl, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await peer.fetch(baseUrl + action, { method: 'POST', headers, body: String(form) });
    cookie = answer.headers['set-cookie']?.split(';')[0] ?? cookie;
    return answer.headers['location'] ?? answer.text;
  }
  const first = await get(new URL(link).pathname + new URL(link).search);
  const second = await send(first.text, '/setup/', { username: 'ann', password: 'a long password' });
  expect(second).toBe('/setup/monitor/');
  const target = { place: 'Oslo', product: 'home-assistant', callback: 'http://192.168.77.1:8123/api/webhook/rain' };
  const third = await send((await get(second)).text, second, { ...target, events: 'started,ended', rate: '0.1' });
  expect(third).toMatch(/^\/setup\/test\/precipitation_1\/$/);
  const done = await send((await get(third)).text, third, { callback: target.callback });
  expect(done).toContain('The test event arrived');
  expect(done).toContain('Thank you for the rain.');
  expect(peer.received.map(({ path }) => path)).toEqual(['/api/webhook/rain']);
});
