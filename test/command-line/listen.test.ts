// `rainbell listen` as testers use it: beside the app or without it, in a pipe, with its port taken.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { receiverRulesSchema } from '#contract/app-rpc/rules.ts';
import { startWithReceiver } from '#test/core/callbacks/callback-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { listeningAddress, runRainbell, sendCallback, startRainbell } from './rainbell-process.ts';
import { listen } from '#test/setup/listen.ts';

async function occupiedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  return port;
}

describe('rainbell listen', () => {
  test('prints a line of JSON with exactly the documented fields for each callback, and Ctrl+C ends it with 0', async () => {
    const listening = startRainbell(['listen', '--json', '--port', '0', '--data', temporaryFolder()]);
    const [, baseUrl = ''] = await listening.says(listeningAddress);
    await sendCallback(baseUrl, 'precipitation_1');
    await fetch(`${baseUrl}/other`);
    const lines = (await listening.prints(2)).map((line) => JSON.parse(line) as Record<string, unknown>);
    const facts = ['id', 'receivedAt', 'method', 'target', 'monitorId', 'sender', 'eventType', 'verdict', 'sizeBytes'];
    const documented = [...facts, 'answeredStatus', 'outcome', 'isByFeed', 'headers', 'body'];
    expect(lines.map((line) => Object.keys(line))).toEqual([documented, documented]);
    expect(lines).toMatchObject([
      {
        id: 1,
        method: 'POST',
        target: '/hooks/test',
        monitorId: 'precipitation_1',
        answeredStatus: 200,
        outcome: 'answered',
      },
      { id: 2, method: 'GET', target: '/other', monitorId: null, sender: null, verdict: 'request', sizeBytes: 0 },
    ]);
    // A burst, too: each once and in order.
    for (let sent = 0; sent < 1000; sent += 100) {
      await Promise.all(Array.from({ length: 100 }, () => sendCallback(baseUrl, 'precipitation_1')));
    }
    const ids = (await listening.prints(1002)).map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids).toEqual(Array.from({ length: 1002 }, (_, index) => index + 1));
    listening.child.kill('SIGINT');
    expect((await listening.ended).code).toBe(0);
  });

  test('beside a running app follows what it receives, with what the sender really got, not what a rule planned', async () => {
    const slow = { name: 'slow', path: '/slow', steps: [{ kind: 'answer', status: 202, delayMs: 60_000 }] };
    const app = await startWithReceiver();
    await app.client.rules.replace(receiverRulesSchema.parse({ rules: [slow] }));
    await sendCallback(app.baseUrl, 'precipitation_1');
    const listening = startRainbell(['listen', '--json', '--data', app.dataFolder]);
    await listening.says(/already running with .* shows the callbacks stored there/);
    const socket = connect(Number(new URL(app.baseUrl).port), '127.0.0.1');
    socket.write('POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}');
    await expect.poll(() => app.core.status().callbackCount).toBe(2);
    socket.end();
    await fetch(`${app.baseUrl}/quick`);
    const lines = (await listening.prints(2)).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toMatchObject([
      { id: 2, target: '/slow', answeredStatus: 0, outcome: 'closed' },
      { id: 3, target: '/quick', answeredStatus: 200, outcome: 'answered' },
    ]);
  });

  test('prints of a body that is not text only its size, and shows control characters instead of sending them', async () => {
    const listening = startRainbell(['listen', '--print', 'body', '--port', '0', '--data', temporaryFolder()]);
    const [, url = ''] = await listening.says(listeningAddress);
    await fetch(url, { method: 'POST', body: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0xff, 0xfe]) });
    expect((await listening.prints(2))[1]).toBe('  (7 bytes that are not UTF-8 text)');
    await sendCallback(url, 'x\u001b]0;gotcha\u0007\u009b2J\n');
    expect((await listening.prints(3))[2]).toContain(String.raw`x\u001b]0;gotcha\u0007\u009b2J\u000a`);
  });

  test('beside a running app refuses a port of its own', async () => {
    const app = await startWithReceiver();
    const { code, out, words } = await runRainbell(['listen', '--port', '0', '--data', app.dataFolder]);
    expect({ code, out }).toEqual({ code: 5, out: '' });
    expect(words).toMatch(
      /^error: Rainbell is already running with .* Omit --port to show its callbacks, or .* --data .*\.\n$/,
    );
  });

  test('refuses a port other than the requested one, and names a free one', async () => {
    const port = await occupiedPort();
    const { code, words } = await runRainbell(['listen', '--port', String(port), '--data', temporaryFolder()]);
    expect(code).toBe(5);
    expect(words).toMatch(
      new RegExp(
        `^error: Port ${port} is in use by another program, .*\\. Port \\d+ is free: use --port \\d+, or omit --port\\.\n$`,
      ),
    );
  });

  test('takes the port of the app’s settings, or says which other one', async () => {
    const [port, folder] = [await occupiedPort(), temporaryFolder()];
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ receiverPort: port }));
    const listening = startRainbell(['listen', '--data', folder]);
    const [, , actual] = await listening.says(listeningAddress);
    listening.child.kill('SIGINT');
    const { words } = await listening.ended;
    expect(words).toMatch(new RegExp(`^Port ${port} is in use by [^,]+, so callbacks arrive on port ${actual}\\.\n`));
  });

  test('exits without an error if its output is closed, as in a pipe to head', async () => {
    const listening = startRainbell(['listen', '--port', '0', '--data', temporaryFolder()]);
    const [, baseUrl = ''] = await listening.says(listeningAddress);
    await sendCallback(baseUrl, 'precipitation_1');
    await listening.prints(1);
    listening.child.stdout?.destroy();
    await sendCallback(baseUrl, 'precipitation_2');
    const { code, words } = await listening.ended;
    expect(code).toBe(0);
    expect(words.trim().split('\n')).toHaveLength(1);
  });

  test('ends when the program that started it over a channel is gone', async () => {
    const main = fileURLToPath(new URL('../../command-line/main.ts', import.meta.url));
    const child = fork(main, ['listen', '--port', '0', '--data', temporaryFolder()], { silent: true, execArgv: [] });
    onTestFinished(() => void child.kill('SIGKILL'));
    if (child.stderr) await once(child.stderr, 'data');
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
