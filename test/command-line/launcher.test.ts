// scripts/rainbell.mjs started with a Node that is too old for the command line: it finds the project's own.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { launcher, listeningAddress, sendCallback } from './rainbell-process.ts';

/** Makes the Node that runs the launcher, and not the one it starts, say that it is 20. */
const pretendNode20 =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.19.0"}})';

function startWithOldNode(args: readonly string[]) {
  const child = spawn(process.execPath, ['--import', pretendNode20, launcher, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, ended: once(child, 'exit'), out: text(child.stdout) };
}

test('an old Node hands over to the project’s own, with output and exit code', async () => {
  const wait = ['wait', '--monitor', 'precipitation_1', '--timeout', '0', '--port', '0', '--data', temporaryFolder()];
  expect(await startWithOldNode(wait).ended).toEqual([1, null]);
  const help = startWithOldNode(['--help']);
  expect(await help.ended).toEqual([0, null]);
  expect(await help.out).toContain('rainbell COMMAND');
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 130],
] as const)('%s reaches the command through it', async (signal, code) => {
  const { child, ended } = startWithOldNode(['wait', '--monitor', 'a', '--port', '0', '--data', temporaryFolder()]);
  await once(child.stderr, 'data');
  child.kill(signal);
  expect(await ended).toEqual([code, null]);
});

test('a command whose launcher was killed ends, too', async () => {
  const { child } = startWithOldNode(['listen', '--port', '0', '--data', temporaryFolder()]);
  const [words] = (await once(child.stderr, 'data')) as [Buffer];
  const baseUrl = listeningAddress.exec(String(words))?.[1] ?? '';
  expect(await sendCallback(baseUrl, 'precipitation_1')).toBe(200);
  child.kill('SIGKILL');
  // The command holds the other end of these pipes until it ends.
  await once(child, 'close');
  await expect(sendCallback(baseUrl, 'precipitation_1')).rejects.toThrow('fetch failed');
});

test('node_modules/.bin/rainbell runs in a checkout, too', async () => {
  const { stdout } = await promisify(execFile)(join(projectFolder, 'node_modules/.bin/rainbell'), ['--version'], {
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
  });
  expect(stdout).toMatch(/^rainbell \d/);
});

test.runIf(process.platform === 'linux')('output that cannot be written is an error', async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [launcher, '--help'], { stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  const [words, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
  expect([words, code]).toEqual(['error: the output is incomplete: the disk is full.\n', 5]);
});
