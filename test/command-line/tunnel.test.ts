// `rainbell tunnel` with stand-ins for the tunnel programs: they take the real ones' arguments, print what those print, and forward
// requests to the receiver.
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import { startWithReceiver } from '#test/core/callbacks/callback-harness.ts';
import { settingsOf } from '#test/core/core-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { openRainbell, runRainbell, startRainbell } from './rainbell-process.ts';

/** What each prints once it is open: cloudflared 2024.12 on stderr, ngrok 3.39 and tailscale 1.52 on stdout. */
const standIn = `#!/usr/bin/env node
const { createServer, request } = require('node:http');
const { basename, join } = require('node:path');
const { existsSync, writeFileSync } = require('node:fs');
const name = basename(__filename);
const [args, print] = {
  cloudflared: [['tunnel', '--no-tls-verify', '--url'], (url) => console.error(\`2024-12-20T10:30:15Z INF Thank you for trying Cloudflare Tunnel. Doing so, without a Cloudflare account, is a quick way to experiment: https://developers.cloudflare.com/cloudflare-one/connections/connect-apps
2024-12-20T10:30:16Z INF Requesting new quick Tunnel on trycloudflare.com...
2024-12-20T10:30:18Z INF +--------------------------------------------------------------------------------------------+
2024-12-20T10:30:18Z INF |  Your quick Tunnel has been created! Visit it at (it may take some time to be reachable):  |
2024-12-20T10:30:18Z INF |  \${url.padEnd(90)}|
2024-12-20T10:30:18Z INF +--------------------------------------------------------------------------------------------+
2024-12-20T10:30:19Z INF Registered tunnel connection connIndex=0 connection=1f2a event=0 ip=198.41.200.33 location=mil01 protocol=quic\`)],
  ngrok: [['http'], (url) => console.log(\`{"t":"2026-10-02T08:15:39-0300","lvl":"info","msg":"starting web service","obj":"web","addr":"127.0.0.1:4040","allow_hosts":[]}
{"t":"2026-10-02T08:15:41-0300","lvl":"info","msg":"started tunnel","obj":"tunnels","name":"command_line","addr":{"Scheme":"http","Host":"127.0.0.1:4545"},"url":"\${url}"}\`)],
  tailscale: [['funnel'], (url) => console.log(\`Available on the internet:\\n\\n\${url}/\\n|-- proxy \${target}\\n\\nPress Ctrl+C to exit.\`)],
}[name];
const given = process.argv.slice(2);
const target = given[args.length] ?? '';
const rest = given.slice(args.length + 1).join(' ');
const isRight = args.every((arg, index) => given[index] === arg) && rest === (name === 'ngrok' ? '--log stdout --log-format json' : '');
if (!isRight) throw new Error('wrong arguments: ' + given.join(' '));
if (existsSync(join(__dirname, 'refuses'))) {
  console.log('{"lvl":"eror","msg":"session closing","err":"authentication failed: The authtoken you specified is invalid.\\\\nYour authtoken: 2abcSECRET\\\\r\\\\n"}');
  process.exit(1);
}
writeFileSync(join(__dirname, 'pid'), String(process.pid));
const server = createServer((incoming, response) => {
  if (existsSync(join(__dirname, 'breaks'))) return response.writeHead(530).end('error code: 1033');
  const outgoing = request(target + incoming.url, { method: incoming.method, headers: incoming.headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.writeHead(502).end());
  incoming.pipe(outgoing);
});
server.listen(0, '127.0.0.1', () => print('http://127.0.0.1:' + server.address().port));
`;

/** A PATH on which only these are installed, and Node, which runs them. */
function install(...names: string[]) {
  const folder = temporaryFolder();
  for (const name of names) {
    writeFileSync(join(folder, name), standIn);
    chmodSync(join(folder, name), 0o755);
  }
  return {
    PATH: `${folder}:${dirname(process.execPath)}`,
    file: (name: string) => join(folder, name),
    pid: () => Number(readFileSync(join(folder, 'pid'), 'utf8')),
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('rainbell tunnel', () => {
  test.each(['cloudflared', 'ngrok', 'tailscale'])(
    'with %s prints the URL at which the app’s receiver is reached, and removes it at Ctrl+C',
    async (name) => {
      const app = await startWithReceiver();
      const { PATH, pid } = install('cloudflared', 'ngrok', 'tailscale');
      const running = startRainbell(['tunnel', '--with', name, '--data', app.dataFolder], { environment: { PATH } });
      const [url = ''] = await running.prints(1);
      expect((await settingsOf(app.client)).publicBase).toBe(url);
      expect((await app.client.callbacks.list({ limit: 10 })).items).toEqual([]);
      await fetch(`${url}/hooks/outside`, { method: 'POST', body: '{}' });
      expect((await app.client.callbacks.list({ limit: 10 })).items).toMatchObject([{ target: '/hooks/outside' }]);
      running.child.kill('SIGINT');
      expect((await running.ended).code).toBe(0);
      expect((await settingsOf(app.client)).publicBase).toBeNull();
      expect(isRunning(pid())).toBe(false);
    },
  );

  test('receives itself if no app runs, with the program that is installed', async () => {
    const { PATH } = install('tailscale');
    const dataFolder = temporaryFolder();
    const running = startRainbell(['tunnel', '--data', dataFolder], { environment: { PATH } });
    const [url = ''] = await running.prints(1);
    expect((await fetch(`${url}/hooks/outside`, { method: 'POST', body: '{}' })).status).toBe(200);
    running.child.kill('SIGINT');
    expect((await running.ended).words).toContain(`Requests to ${url} arrive at the receiver.`);
  });

  test('ends with 4 and says why if the program ends, and removes the URL', async () => {
    const app = await startWithReceiver();
    const { PATH, pid } = install('cloudflared');
    const running = startRainbell(['tunnel', '--data', app.dataFolder], { environment: { PATH } });
    await running.prints(1);
    process.kill(pid());
    const { code, words } = await running.ended;
    expect(code).toBe(4);
    expect(words).toMatch(
      /error: The tunnel is broken: cloudflared ended\. It printed: .*Your quick Tunnel.*Registered tunnel connection/,
    );
    expect(words).not.toContain('u000a');
    expect((await settingsOf(app.client)).publicBase).toBeNull();
  });

  test('prints the message of a program that refuses, without the token', async () => {
    const { PATH, file } = install('ngrok');
    writeFileSync(file('refuses'), '');
    const { code, words } = await runRainbell(['tunnel', '--data', temporaryFolder()], { environment: { PATH } });
    expect(code).toBe(4);
    expect(words).toContain('The authtoken you specified is invalid.');
    expect(words).not.toContain('SECRET');
  });

  test('says within a minute that requests no longer arrive, and that they do again', async () => {
    const app = await startWithReceiver();
    const { PATH, file } = install('cloudflared');
    // A minute takes a tenth of a second.
    const after: Clock['after'] = (ms, run) => systemClock.after(ms === 60_000 ? 100 : ms, run);
    const options = { environment: { PATH }, clock: { ...systemClock, after } };
    const { texts, code, interrupt } = openRainbell(['tunnel', '--data', app.dataFolder], options);
    await expect.poll(() => texts.words).toMatch(/Requests to \S+ arrive/);
    writeFileSync(file('breaks'), '');
    await expect
      .poll(() => texts.words)
      .toMatch(/The tunnel is broken: .* did not reach the receiver: another server responded with 530/);
    rmSync(file('breaks'));
    await expect.poll(() => texts.words.match(/Requests to \S+ arrive/g)).toHaveLength(2);
    expect(texts.words.match(/The tunnel is broken/g)).toHaveLength(1);
    interrupt();
    expect(await code).toBe(0);
    expect((await settingsOf(app.client)).publicBase).toBeNull();
  });

  test('without any of the programs says where to get each', async () => {
    const { PATH } = install();
    const { code, words } = await runRainbell(['tunnel', '--data', temporaryFolder()], { environment: { PATH } });
    expect(code).toBe(5);
    expect(words).toMatch(/No tunnel program was found\. Install cloudflared \(.*\) or ngrok \(.*\) or tailscale \(/);
    const wrong = await runRainbell(['tunnel', '--with', 'ssh', '--data', temporaryFolder()], {
      environment: { PATH },
    });
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.words).toContain('--with must be one of cloudflared, ngrok, tailscale, not “ssh”.');
  });
});
