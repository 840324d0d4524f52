// `rainbell listen` in a terminal: a pseudo terminal of util-linux's `script`, with real key presses.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { sendCallback } from './rainbell-process.ts';

const launcher = fileURLToPath(new URL('../../scripts/rainbell.mjs', import.meta.url));
const hasScript = process.platform === 'linux' && existsSync('/usr/bin/script');

describe.runIf(hasScript)('rainbell listen in a terminal', () => {
  test('shows details, replays, copies, and quits by key', async () => {
    const command = `'${process.execPath}' '${launcher}' listen --port 0 --data '${temporaryFolder()}'`;
    const child = spawn('/usr/bin/script', ['-qefc', command, '/dev/null'], {
      env: { ...process.env, TERM: 'xterm', SHELL: '/bin/sh' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let screen = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (screen += part));
    /** Waits for what a key or a callback prints from here on. */
    const shows = async (pattern: RegExp, act: () => unknown) => {
      const from = screen.length;
      await act();
      await expect.poll(() => screen.slice(from)).toMatch(pattern);
    };
    const press = (key: string) => child.stdin.write(key);
    await expect.poll(() => screen).toMatch(/Keys: ↑ and ↓ choose a callback/);
    const baseUrl = /Listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(screen)?.[1] ?? '';
    await shows(/No callbacks yet/, () => press('r'));
    await shows(/1 {2}\S+ {2}POST \S+ {2}precipitation_1 /, () => sendCallback(baseUrl, 'precipitation_1'));
    await shows(/2 {2}\S+ {2}POST \S+ {2}precipitation_2 /, () => sendCallback(baseUrl, 'precipitation_2'));
    await shows(/content-type: application\/json[^]*"id":"precipitation_2"/i, () => press('\r'));
    await shows(/1 {2}\S+ {2}POST \S+ {2}precipitation_1 /, () => press('\u001b[A'));
    await shows(/Callback 1 replayed: 200 after \d+ ms/, () => press('r'));
    await shows(/Copied the body of callback 1/, () => press('c'));
    // oxlint-disable-next-line no-control-regex -- what the terminal gets
    const copied = /\u001b\]52;c;([^\u0007]+)\u0007/.exec(screen)?.[1] ?? '';
    expect(JSON.parse(Buffer.from(copied, 'base64').toString('utf8'))).toMatchObject({ id: 'precipitation_1' });
    press('q');
    expect(await once(child, 'close')).toEqual([0, null]);
  });
});
