// `npm start` on machines of every kind: without Electron's binary, with one that does not start, without a network, and
// with a wrong command line. The binary is a shell script here; the headless host is the real one.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { downloadElectron } from '#scripts/electron-binary.mjs';
import { readStartOptions } from '#scripts/start-options.mjs';
import { projectFolder } from '#scripts/tool.mjs';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rainbell-start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A folder that stands for Electron's, empty or with a script as its binary. */
async function electronFolder(script?: string): Promise<string> {
  const folder = await temporaryFolder();
  if (script !== undefined) {
    await writeFile(join(folder, 'electron'), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, 'electron'), 0o755);
  }
  return folder;
}

type Run = { child: ChildProcess; said: () => string; ended: Promise<number | null> };

async function start(electron: string, args: readonly string[] = []): Promise<Run> {
  const data = await temporaryFolder();
  const child = spawn(process.execPath, ['scripts/start.mjs', '--no-open', '--port', '0', '--data', data, ...args], {
    cwd: projectFolder,
    env: {
      ...process.env,
      DISPLAY: ':99',
      ELECTRON_OVERRIDE_DIST_PATH: electron,
      ELECTRON_MIRROR: 'http://127.0.0.1:9/',
      RAINBELL_PROVIDER: 'simulation',
    },
  });
  let text = '';
  const collect = (part: string) => (text += part);
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return { child, said: () => text, ended };
}

/** Waits for the browser's address and shows that it is served; then Ctrl-C must end it. */
async function expectServedUntilInterrupted({ child, said, ended }: Run): Promise<void> {
  await expect.poll(said, { timeout: 45_000 }).toMatch(/http:\/\/127\.0\.0\.1:\d+\/#ticket=/);
  const [address = ''] = /http:\/\/127\.0\.0\.1:\d+\//.exec(said()) ?? [];
  expect((await fetch(address)).status).toBe(200);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  await expect(fetch(address)).rejects.toThrow('fetch failed');
}

describe.skipIf(process.platform === 'win32')('npm start', () => {
  it('serves the browser, and says why, where the binary can neither be found nor downloaded', async () => {
    const run = await start(await electronFolder());
    await expectServedUntilInterrupted(run);
    expect(run.said()).toContain('runs in your browser instead of Electron: its binary could not be downloaded');
  });

  it('serves the browser, with what the binary said, where the binary does not start', async () => {
    const run = await start(await electronFolder('echo "no such library: libfoo.so" >&2; exit 127'));
    await expectServedUntilInterrupted(run);
    expect(run.said()).toContain('its binary does not start (no such library: libfoo.so)');
  });

  it('serves the browser without a word about Electron where --headless asks for it', async () => {
    const run = await start(await electronFolder('exit 1'), ['--headless']);
    await expectServedUntilInterrupted(run);
    expect(run.said()).not.toContain('Electron');
  });

  it('ends with Electron where Electron starts', async () => {
    const run = await start(await electronFolder('echo "Rainbell is open in Electron."; exit 0'));
    expect(await run.ended).toBe(0);
    expect(run.said()).not.toContain('browser');
  });

  it('passes on what Rainbell itself said when it refused to start in Electron, and does not try the browser', async () => {
    const run = await start(await electronFolder('echo "The data folder cannot be written." >&2; exit 3'));
    expect(await run.ended).toBe(3);
    expect(run.said()).toContain('The data folder cannot be written.');
    expect(run.said()).not.toContain('browser');
  });

  it('fails with a way out where --electron asks for what is not there', async () => {
    const run = await start(await electronFolder(), ['--electron']);
    expect(await run.ended).toBe(1);
    expect(run.said()).toContain('Run "npm start" without --electron');
  });

  it('answers a wrong command line with the usage and exit code 2', async () => {
    const run = await start(await electronFolder(), ['--colour']);
    expect(await run.ended).toBe(2);
    expect(run.said()).toContain("Unknown option '--colour'.");
    expect(run.said()).toContain('npm start [-- --headless | --electron]');
  });
});

describe('the command line', () => {
  it.each([
    [['--port', 'abc'], '--port must be a whole number from 0 to 65535. It was "abc".'],
    [['--port', '65536'], '--port must be a whole number from 0 to 65535. It was "65536".'],
    [['--headless', '--electron'], '--headless and --electron exclude each other.'],
    [['--data='], '--data must name a folder.'],
    [['somewhere'], "Unexpected argument 'somewhere'."],
  ])('%j is refused with a sentence', (args, words) => {
    expect(readStartOptions(args)).toMatchObject({ kind: 'wrong', words: expect.stringContaining(words.slice(0, 40)) });
  });

  it('without flags leaves the choice of the host open', () => {
    expect(readStartOptions([])).toEqual({
      kind: 'options',
      options: { host: 'any', port: undefined, data: undefined, open: true },
    });
  });
});

describe('the download of the binary', () => {
  it('is given up when nothing arrives', async () => {
    const installer = join(await temporaryFolder(), 'silent.cjs');
    await writeFile(installer, 'setInterval(() => {}, 1000);');
    vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', await electronFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const { signal } = new AbortController();
    const problem = await downloadElectron({ tell: () => {}, signal, silenceLimitMs: 300, installer });
    expect(problem).toContain('nothing arrived');
  });
});
