// What reads the output of a program may go away (`| head`, a closed terminal), and what it is written to may be full: the program
// goes on, and ends as usual.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { runEntry } from '#test/setup/run-entry.ts';
import { unreachableProviders } from '#test/stories/service-process.ts';

/** No one reads its output, unless it is written to a file. */
function start(args: readonly string[], environment: Record<string, string> = {}, file?: number) {
  const child = spawn(process.execPath, args, {
    cwd: projectFolder,
    env: { ...process.env, ...unreachableProviders, RAINBELL_PROVIDER: 'simulation', ...environment },
    stdio: ['ignore', file ?? 'pipe', file ?? 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdout?.destroy();
  const said = child.stderr ? text(child.stderr) : Promise.resolve('');
  const ended = once(child, 'close').then(async ([code]) => ({ code: code as number | null, words: await said }));
  return { child, ended };
}

const answers = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

test('the service runs without a reader, and stops in order', async () => {
  const port = await freePort();
  const { child, ended } = start([...runEntry, 'service/main.ts', '--port', `${port}`, '--data', temporaryFolder()]);
  await expect.poll(() => answers(`http://127.0.0.1:${port}/health/ready`)).toBe(true);
  child.kill('SIGTERM');
  const { code, words } = await ended;
  expect(code).toBe(0);
  // The log has one JSON object per line, and nothing else is on stderr.
  for (const line of words.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ name: 'rainbell-service' });
});

test.runIf(process.platform === 'linux')('the service runs while the disk of its log is full', async () => {
  const port = await freePort();
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const args = [...runEntry, 'service/main.ts', '--port', `${port}`, '--data', temporaryFolder()];
  const { child, ended } = start(args, {}, full);
  await expect.poll(() => answers(`http://127.0.0.1:${port}/health/ready`)).toBe(true);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});

test('the app in the browser runs without a reader, and stops in order', async () => {
  const port = await freePort();
  const flags = ['--no-open', '--json', '--port', `${port}`, '--data', temporaryFolder()];
  const args = [...runEntry, 'headless/main.ts', ...flags];
  const screens = join(projectFolder, 'renderer');
  const { child, ended } = start(args, { RAINBELL_SCREENS: screens });
  await expect.poll(() => answers(`http://127.0.0.1:${port}/`)).toBe(true);
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, words: '' });
});

test('an operator command succeeds without a reader', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'service'));
  const args = [...runEntry, 'service/operator/main.ts', 'account', 'list', '--data', folder];
  expect((await start(args).ended).code).toBe(0);
});

test('a start script passes on how its program ended', async () => {
  const program = `console.log('ready'); console.log('x'.repeat(100_000)); process.exitCode = 7;`;
  const script = `import { runChild } from './scripts/child.mjs';
    const options = { cwd: '.', readyLine: 'ready' };
    const { code } = await runChild(process.execPath, ['--eval', ${JSON.stringify(program)}], options);
    process.exitCode = code;`;
  expect(await start(['--input-type=module', '--eval', script]).ended).toEqual({ code: 7, words: '' });
});
