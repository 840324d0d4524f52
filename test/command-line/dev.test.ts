// `rainbell dev` with real processes: handlers in this process, events of other senders and of the sandbox.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { listen } from '#test/setup/listen.ts';
import { hasTerminal, listeningAddress, runRainbell, startInTerminal, startRainbell } from './rainbell-process.ts';

const secret = 'it is a secret';
const environment = { RAINBELL_WEBHOOK_SECRET: secret };

/** Verifies as GitHub's receivers do, unless `isRight` is false. */
async function serve(isRight: boolean, at?: number) {
  // Not one that a server of another test may be given while this one is closed.
  const port = at ?? (await freePort());
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const hash = createHmac('sha256', secret).update(Buffer.concat(chunks)).digest('hex');
      bodies.push(Buffer.concat(chunks).toString());
      const isSigned = request.headers['x-hub-signature-256'] === `sha256=${hash}`;
      if (request.method !== 'POST') return response.writeHead(405).end();
      return response.writeHead(isSigned || !isRight ? 202 : 401, { 'x-handler': 'mine' }).end(`got ${request.url}`);
    });
  });
  await listen(server, port);
  return { server, url: `http://127.0.0.1:${port}/hook`, port, bodies };
}

const close = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

test.each([
  [true, 0, 'no bug found', 'failures="0"'],
  [false, 1, 'It accepts unsigned events.', 'name="no-check"'],
])('sends events, checks the handler, and ends (right handler: %s)', async (isRight, code, words, reported) => {
  const { url } = await serve(isRight);
  const folder = temporaryFolder();
  const report = join(folder, 'report.xml');
  const options = ['--sender', 'github', '--events', '2', '--junit', report, '--port', '0', '--data', folder];
  const result = await runRainbell(['dev', '--to', url, ...options], { environment });
  expect(result).toMatchObject({ code, out: expect.stringContaining(words) });
  expect(result.out.match(/POST \/dev {2}GitHub .*→ {2}202 after/g)).toHaveLength(2);
  expect(result.out + result.words).not.toContain(secret);
  expect(readFileSync(report, 'utf8')).toContain(reported);
});

test('sends the sandbox’s events, relays the handler’s response, and names the bug', async () => {
  const { url } = await serve(false);
  const options = ['--events', '1', '--port', '0', '--data', temporaryFolder()];
  const { code, out } = await runRainbell(['dev', '--to', url, ...options]);
  expect(out).toMatch(/POST \/dev {2}.*→ {2}202 after/);
  expect([code, out]).toEqual([1, expect.stringContaining('FAILED  Checking: 1 bug found.')]);
});

test('relays the response to the sender, and checks again when the handler restarts', async () => {
  const first = await serve(false);
  const options = ['--sender', 'github', '--port', '0', '--data', temporaryFolder()];
  const dev = startRainbell(['dev', '--to', first.url, ...options], { environment });
  const [, baseUrl = ''] = await dev.says(listeningAddress);
  const [failed] = await dev.prints(2);
  expect(failed).toMatch(/^FAILED {2}Checking: 1 bug found/);
  const body = '{"a":1}';
  const response = await fetch(`${baseUrl}/dev/more?x=1`, { method: 'POST', body });
  expect([response.status, response.headers.get('x-handler'), await response.text()]).toEqual([
    202,
    'mine',
    'got /hook/more?x=1',
  ]);
  await close(first.server);
  const gone = await fetch(`${baseUrl}/dev`, { method: 'POST', body });
  expect(gone.status).toBe(502);
  const lines = () => dev.prints(5);
  // Down for long enough to be noticed.
  await expect.poll(async () => (await lines()).join('\n'), { timeout: 60_000 }).toMatch(/changed: no response/);
  expect((await fetch(`${baseUrl}/dev`, { method: 'POST', body })).status).toBe(502);
  await serve(true, first.port);
  await expect
    .poll(async () => (await lines()).join('\n'), { timeout: 60_000 })
    .toMatch(/PASSED {2}The handler(’s response changed| started): no bug found/);
  dev.child.kill('SIGINT');
  expect((await dev.ended).code).toBe(130);
});

test.runIf(hasTerminal())(
  'in a terminal, shows the secret, and sends, replays, edits, checks, and ends by keys',
  async () => {
    const { url, bodies } = await serve(true);
    const { screen, press, shows, closed } = startInTerminal(
      `dev --to ${url} --sender github --port 0 --data '${temporaryFolder()}'`,
      { ...environment, EDITOR: 'sed -i s/rainbell.sample/edited/' },
    );
    await expect.poll(screen, { timeout: 60_000 }).toMatch(/PASSED {2}Checking: no bug found/);
    expect(screen()).toContain(`Secret: ${secret}`);
    await shows(/No events yet/, () => press('r'));
    await shows(/1 {2}POST \/dev {2}GitHub .*202 after/, () => press('m'));
    await shows(/1 {2}replayed with a new signature {2}→ {2}202 after/, () => press('r'));
    const before = bodies.length;
    await shows(/1 {2}replayed with a new signature {2}→ {2}202 after/, () => press('e'));
    expect(bodies.slice(before)).toEqual([expect.stringContaining('"type":"edited"')]);
    await shows(/The app isn’t running with this data folder/, () => press('o'));
    await shows(/PASSED {2}Checking: no bug found/, () => press('c'));
    press('q');
    expect(await closed).toEqual([0, null]);
  },
);

test.each([
  [['dev'], 'missing --to URL'],
  [['dev', '--to', 'http://example.com/'], '--yes'],
  [['dev', '--to', 'http://localhost:1/', '--sender', 'github'], 'RAINBELL_WEBHOOK_SECRET'],
])('names what is wrong with %j', async (args, words) => {
  expect(await runRainbell([...args, '--data', temporaryFolder()])).toMatchObject({
    code: 2,
    words: expect.stringContaining(words),
  });
});
