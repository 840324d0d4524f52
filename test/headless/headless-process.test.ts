// `npm run headless` as a user meets it: every reason not to start is one sentence, and Ctrl+C ends everything.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readOptions } from '#headless/options.ts';
import { findRunningApp } from '#core/hosting/running-app.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { connectToApp } from '#test/setup/app-client.ts';
import { runEntry } from '#test/setup/run-entry.ts';
import { listen } from '#test/setup/listen.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const node = join(project, 'node_modules', '.bin', 'node');

type Headless = {
  /** The first line of stdout that fits. */
  lineWith: (part: string) => Promise<string>;
  /** The same of stderr. */
  errorWith: (part: string) => Promise<string>;
  interrupt: () => void;
  ended: Promise<{ code: number | null; errors: string; output: string }>;
};

function builtScreens(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Rainbell</title>');
  return folder;
}

function runHeadless(args: string[], screens = builtScreens(), environment: Record<string, string> = {}): Headless {
  const child = spawn(node, [...runEntry, 'headless/main.ts', '--no-open', ...args], {
    cwd: project,
    env: { ...process.env, RAINBELL_SCREENS: screens, RAINBELL_PROVIDER: 'simulation', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve)).then((code) => ({
    code,
    errors,
    output,
  }));
  const lineIn = (stream: Readable, all: () => string, part: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = all()
          .split('\n')
          .find((candidate) => candidate.includes(part));
        if (found !== undefined) resolve(found);
      };
      stream.on('data', look);
      look();
      void ended.then((end) => reject(new Error(`ended with ${end.code}: ${end.errors}`)));
    });
  return {
    lineWith: (part) => lineIn(child.stdout, () => output, part),
    errorWith: (part) => lineIn(child.stderr, () => errors, part),
    interrupt: () => void child.kill('SIGINT'),
    ended,
  };
}

async function occupiedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  return port;
}

describe('npm run headless', () => {
  test('prints one JSON line with an address that works, and Ctrl+C ends everything it started', async () => {
    const dataFolder = temporaryFolder();
    const headless = runHeadless(['--json', '--port', '0', '--data', dataFolder]);
    const { url } = JSON.parse(await headless.lineWith('"url"')) as { url: string };
    const { origin, hash } = new URL(url);
    expect(hash).toMatch(/^#ticket=[\w-]{43}$/);
    expect(await (await fetch(origin)).text()).toContain('<title>Rainbell');
    // By then, the receiver takes callbacks.
    const running = await findRunningApp(dataFolder, 'command');
    const receiver = (await running?.client.app.status())?.receiver.baseUrl ?? '';
    running?.close();
    expect((await fetch(receiver, { method: 'POST', body: '{}' })).status).toBe(200);
    headless.interrupt();
    const { code, output } = await headless.ended;
    expect(code).toBe(0);
    expect(output.trim().split('\n')).toHaveLength(1);
    await expect(fetch(origin)).rejects.toThrow('fetch failed');
    expect(existsSync(join(dataFolder, 'app.sqlite'))).toBe(true);
    // A store that was closed properly has no write-ahead log left.
    expect(existsSync(join(dataFolder, 'app.sqlite-wal'))).toBe(false);
  });

  test('with its port taken says so and names the way out', async () => {
    const port = await occupiedPort();
    const { code, errors } = await runHeadless(['--port', String(port), '--data', temporaryFolder()]).ended;
    expect(code).toBe(1);
    expect(errors).toBe(
      `Port ${port} is in use by another program. Choose another one with --port, or omit --port to get a free one.\n`,
    );
  });

  test('with a data folder that cannot be written to says so', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const { code, errors } = await runHeadless(['--port', '0', '--data', join(folder, 'file', 'data')]).ended;
    expect(code).toBe(1);
    expect(errors).toMatch(/^The data folder .* cannot be written to .* --data\.\n$/);
  });

  test('without built screens says what to run', async () => {
    const { code, errors } = await runHeadless(['--port', '0', '--data', temporaryFolder()], temporaryFolder()).ended;
    expect(code).toBe(1);
    expect(errors).toMatch(/^The screens have not been built yet\. Run `npm start`.*\n$/);
  });

  test('over a garbage settings file and with a service that cannot start, says so, keeps the file, and shows the screens', async () => {
    const dataFolder = temporaryFolder();
    writeFileSync(join(dataFolder, 'settings.json'), '{"theme": "dark", garbage');
    const wrong = { RAINBELL_PROVIDER: 'nonsense' };
    const headless = runHeadless(['--port', '0', '--data', dataFolder], builtScreens(), wrong);
    const note = await headless.lineWith('Note:');
    expect(note).toContain(readdirSync(dataFolder).find((name) => name.includes('unreadable')) ?? 'missing');
    await headless.errorWith('The weather service on this computer could not start: RAINBELL_PROVIDER must be');
    const [address = ''] = /http:\S+/.exec(await headless.lineWith('#ticket=')) ?? [];
    expect((await fetch(new URL(address).origin)).status).toBe(200);
    headless.interrupt();
    expect((await headless.ended).code).toBe(0);
  });

  test('started a second time on the same data folder, prints a fresh link to the first, or is refused if that does not answer', async () => {
    const dataFolder = temporaryFolder();
    const first = runHeadless(['--json', '--port', '0', '--data', dataFolder]);
    const { origin } = new URL((JSON.parse(await first.lineWith('"url"')) as { url: string }).url);
    const link = 'rainbell://callbacks/21079?q=status:5xx';
    const second = await runHeadless(['--data', dataFolder, link]).ended;
    expect(second).toMatchObject({ code: 0, errors: '' });
    expect(second.output).toContain('Rainbell is already running.');
    const [address = ''] = /http:\S+/.exec(second.output) ?? [];
    const [, ticket = '', hash] = /#ticket=([\w-]{43})&(.*)$/.exec(address) ?? [];
    expect(address).toContain(`${origin}/#`);
    expect(hash).toBe('/callbacks/21079?q=status:5xx');
    const trade = () => connectToApp(origin, { ticket });
    (await trade()).disconnect();
    await expect(trade()).rejects.toThrow('4401');
    const wrong = await runHeadless(['--data', dataFolder, 'https://example.net/callbacks']).ended;
    expect(wrong.code).toBe(2);
    expect(wrong.errors).toContain(
      '“https://example.net/callbacks” is not a Rainbell link. Links look like rainbell://callbacks.',
    );

    // The program that has the data folder does not answer.
    const file = join(dataFolder, 'running.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const known = readFileSync(file, 'utf8');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(known), secret: 'x'.repeat(43) }));
    const refused = await runHeadless(['--port', '0', '--data', dataFolder]).ended;
    expect([refused.code, refused.errors]).toEqual([
      1,
      expect.stringContaining('already running with the data folder'),
    ]);
    writeFileSync(file, known);
    first.interrupt();
    expect(await first.ended).toMatchObject({ code: 0, errors: '' });
    expect(readdirSync(dataFolder)).not.toContain('running.json');
  });

  test.each([
    [['--port', 'x'], '--port must be a whole number from 0 to 65535, not “x”.'],
    [['--port', '70000'], 'not “70000”'],
    [['--colour'], '--colour'],
  ])('%o is refused with what is wrong', (args, sentence) => {
    expect(readOptions(args)).toEqual({ problem: expect.stringContaining(sentence) });
  });
});
