// `npm start` on machines of every kind: without Electron's binary, with one that does not start, without a network, and
// with a wrong command line. The binary is a shell script here; the headless host is the real one.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runChild } from '#scripts/child.mjs';
import { downloadElectron } from '#scripts/electron-binary.mjs';
import { readyLine, runElectron } from '#scripts/start-electron.mjs';
import { readStartOptions } from '#scripts/start-options.mjs';
import { projectFolder } from '#scripts/tool.mjs';
import { startTlsHost } from '#test/stories/tls-host.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

/** A folder that stands for Electron's, empty or with a script as its binary. */
async function electronFolder(script?: string): Promise<string> {
  const folder = temporaryFolder();
  if (script !== undefined) {
    await writeFile(join(folder, 'electron'), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, 'electron'), 0o755);
  }
  return folder;
}

type Run = { child: ChildProcess; said: () => string; ended: Promise<number | null> };

async function start(
  electron: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<Run> {
  const data = temporaryFolder();
  const child = spawn(process.execPath, ['scripts/start.mjs', '--no-open', '--port', '0', '--data', data, ...args], {
    cwd: projectFolder,
    env: {
      ...process.env,
      DISPLAY: ':99',
      ELECTRON_OVERRIDE_DIST_PATH: electron,
      ELECTRON_MIRROR: 'http://127.0.0.1:9/',
      RAINBELL_PROVIDER: 'simulation',
      ...environment,
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

/** Waits for the browser's address and shows that it is served; then Ctrl+C must end it. */
async function expectServedUntilInterrupted({ child, said, ended }: Run): Promise<void> {
  await expect.poll(said).toMatch(/http:\/\/127\.0\.0\.1:\d+\/#ticket=/);
  const [address = ''] = /http:\/\/127\.0\.0\.1:\d+\//.exec(said()) ?? [];
  expect((await fetch(address)).status).toBe(200);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  await expect(fetch(address)).rejects.toThrow('fetch failed');
}

describe.skipIf(process.platform === 'win32')('npm start', () => {
  it('serves the browser, and says why, if the binary can neither be found nor downloaded', async () => {
    const run = await start(await electronFolder());
    await expectServedUntilInterrupted(run);
    expect(run.said()).toContain('is running in your browser instead of Electron: its binary could not be downloaded');
  });

  it('ends with Electron if Electron starts, with --no-sandbox and Chromium’s flags, and says what the first means', async () => {
    const printArgs = `printf '%s|' "$@"; echo "${readyLine}"`;
    const run = await start(await electronFolder(printArgs), ['--no-sandbox', '--', '--ozone-platform=x11']);
    expect(await run.ended).toBe(0);
    expect(run.said()).toContain('.|--no-sandbox|--ozone-platform=x11|--data|');
    expect(run.said()).toContain("Warning: Chromium's sandbox is off.");
    expect(run.said()).not.toContain('browser');
  });

  it('passes on Rainbell’s own message if it refused to start in Electron, and does not try the browser', async () => {
    const script = 'echo "The data folder cannot be written to." >&2; exit 3';
    const run = await start(await electronFolder(script), ['--no-sandbox']);
    expect(await run.ended).toBe(3);
    expect(run.said()).toContain('The data folder cannot be written to.');
    expect(run.said()).not.toContain('browser');
  });

  it('fails with a way out if --electron requires something that is missing', async () => {
    const run = await start(await electronFolder(), ['--electron']);
    expect(await run.ended).toBe(1);
    expect(run.said()).toContain('Run "npm start" without --electron');
  });

  it('answers a wrong command line with the usage and exit code 2', async () => {
    const run = await start(await electronFolder(), ['--colour']);
    expect(await run.ended).toBe(2);
    expect(run.said()).toContain("Unknown option '--colour'.");
    expect(run.said()).toContain('Usage: npm start [-- --headless | --electron]');
  });
});

describe.skipIf(process.getuid?.() !== 0)('npm start as root', () => {
  it('does not start Electron with its sandbox, says what to do, and serves the browser', async () => {
    const run = await start(await electronFolder('echo "Electron was started"'));
    await expectServedUntilInterrupted(run);
    expect(run.said()).not.toContain('Electron was started');
    expect(run.said()).toMatch(
      /- Start Rainbell as another user\..*npm start -- --no-sandbox\n.*in your browser instead of Electron: Chromium's sandbox doesn't work here\.\n/s,
    );
  });
});

describe.skipIf(process.platform !== 'linux')('npm start without a display', () => {
  it('downloads nothing, and fails with the reason if --electron is set', async () => {
    // A binary is missing, and the mirror would refuse: neither is used.
    const run = await start(await electronFolder(), ['--electron'], { DISPLAY: '', WAYLAND_DISPLAY: '' });
    expect(await run.ended).toBe(1);
    expect(run.said()).toContain("error: Electron can't be used here: there is no display to open its window on");
    expect(run.said()).not.toContain('Downloading');
  });
});

describe.skipIf(process.platform === 'win32')('the app in Electron', () => {
  async function run(script: string, limits: Parameters<typeof runElectron>[0]['limits'] = {}) {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
    const program = join(await electronFolder(script), 'electron');
    const ending = await runElectron({ program, data: undefined, flags: [], limits });
    return { ending, lines };
  }

  it('that shows no window in time is ended, counts as not started, and is waited for aloud', async () => {
    const sleeping = 'trap "exit 0" TERM; echo "asking the keyring" >&2; while :; do sleep 0.05; done';
    const { ending, lines } = await run(sleeping, { readyLimitMs: 1000, reminderMs: 300 });
    expect(ending).toContain('it did not show its window within 1 s');
    expect(lines[0]).toMatch(/^Waiting for Electron to show its window \(\d s\)…$/);
  });

  it.each([
    ['ends at once without a window counts as not started', 'exit 0', 'it ended during startup (exit code 0)'],
    ['crashes on startup counts as not started', 'kill -SEGV $$', 'it crashed on startup with SIGSEGV'],
    ['hands over to an instance that is open already has started', 'echo "Rainbell is already open with this…"', 0],
  ])('that %s', async (_what, script, ending) => {
    expect((await run(script)).ending).toBe(ending);
  });

  it('that crashes because of its sandbox anyway gets the same advice', async () => {
    const message = 'FATAL:zygote_host_impl_linux.cc] No usable sandbox! Update your kernel';
    const { ending, lines } = await run(`echo '${message}' >&2; kill -TRAP $$`);
    expect(ending).toBe(`it crashed on startup with SIGTRAP (${message})`);
    expect(lines.join('\n')).toMatch(/sudo chmod 4755 .*chrome-sandbox'\n.*\n +npm start -- --no-sandbox$/s);
  });
});

describe('a child that is asked to quit over a channel', () => {
  // How Windows is served, where a signal would be TerminateProcess; the channel itself works everywhere.
  it('gets a message instead of a signal, and ends in order', async () => {
    const folder = temporaryFolder();
    const program = join(folder, 'child.mjs');
    await writeFile(
      program,
      `process.on('SIGTERM', () => process.exit(9));
       process.on('message', (message) => { if (message === 'quit') process.disconnect(); });
       process.on('exit', () => console.error('closed in order'));
       console.log('open');`,
    );
    const options = { cwd: folder, readyLine: 'open', hasChannel: true, stopWhenReady: true };
    expect(await runChild(process.execPath, [program], options)).toMatchObject({
      code: 0,
      signal: null,
      isReady: true,
      errorOutput: expect.stringContaining('closed in order'),
    });
  });
});

describe.skipIf(process.platform === 'win32')('the trial of a packaged app', () => {
  async function tryPackage(script: string) {
    const program = join(await electronFolder(script), 'electron');
    const child = spawn(process.execPath, ['scripts/try-package.mjs', program], { cwd: projectFolder });
    const [out, words, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { out, words, code: code as number | null };
  }

  it('succeeds if the window opens and the app then ends in order', async () => {
    const app = `trap "exit 0" TERM; echo "${readyLine}"; while :; do sleep 0.05; done`;
    expect(await tryPackage(app)).toMatchObject({ code: 0, out: expect.stringContaining('opened its window') });
  });

  it('fails with the app’s output if no window opens', async () => {
    const failed = await tryPackage('echo "cannot load app.asar" >&2; exit 7');
    expect(failed).toMatchObject({ code: 1, words: expect.stringContaining('cannot load app.asar') });
    expect(failed.words).toContain('exit code 7');
  });
});

describe('the command line', () => {
  it.each([
    [['--port', 'abc'], '--port must be a whole number from 0 to 65535. It was "abc".'],
    [['--port', '65536'], '--port must be a whole number from 0 to 65535. It was "65536".'],
    [['--headless', '--electron'], "--headless and --electron can't be used together."],
    [['--data='], '--data must name a folder.'],
    [['somewhere'], '"somewhere" is not a Rainbell link. Links look like rainbell://callbacks.'],
    [['rainbell://callbacks', 'rainbell://monitors'], 'Only one link can be opened, not 2.'],
    [['--headless', '--no-sandbox'], '--no-sandbox is for Electron and has no effect with --headless.'],
    [['--', 'x11'], '"x11" after "--" is not a flag for Electron'],
  ])('%j is refused with a sentence', (args, words) => {
    expect(readStartOptions(args)).toMatchObject({
      kind: 'wrong',
      problem: expect.stringContaining(words.slice(0, 40)),
    });
  });

  it('without flags leaves the choice of the host open', () => {
    expect(readStartOptions([])).toEqual({
      kind: 'options',
      options: { host: 'any', port: undefined, data: undefined, open: true, flags: [], link: undefined },
    });
  });
});

describe('the download of the binary', () => {
  /** An installer that does this instead. */
  async function downloadBy(script: string, options: Partial<Parameters<typeof downloadElectron>[0]>) {
    const installer = join(temporaryFolder(), 'installer.cjs');
    await writeFile(installer, script);
    vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', await electronFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const { signal } = new AbortController();
    return downloadElectron({ tell: () => {}, signal, installer, ...options });
  }

  it('is given up when nothing arrives', async () => {
    const problem = await downloadBy('setInterval(() => {}, 1000);', { silenceLimitMs: 300 });
    expect(problem).toMatch(/^nothing arrived for 0 s, after 0 MB; .*HTTPS_PROXY/);
  });

  it('reports bytes and time while it lasts', async () => {
    const messages: string[] = [];
    const stop = new AbortController();
    const tell = (sentence: string) => {
      messages.push(sentence);
      if (/[1-9]\d* MB in \d+ s/.test(sentence)) stop.abort();
    };
    const slowly = `const { appendFileSync } = require('node:fs');
      const file = require('node:path').join(require('node:os').tmpdir(), 'electron.zip');
      setInterval(() => appendFileSync(file, Buffer.alloc(1_000_000)), 50);`;
    await downloadBy(slowly, { tell, signal: stop.signal, progressMs: 200 });
    expect(messages[0]).toBe('Downloading Electron (about 120 MB, once)…');
    expect(messages.at(-1)).toMatch(/^Downloading Electron: [1-9]\d* MB in \d+ s…$/);
  });

  /** Electron's own installer, with a source of the binary. */
  const downloadFrom = async (source: string) => {
    vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', await electronFolder());
    vi.stubEnv('ELECTRON_MIRROR', source);
    vi.stubEnv('electron_config_cache', temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    return downloadElectron({ tell: () => {}, signal: new AbortController().signal });
  };

  it('that reaches no server names what may help', async () => {
    expect(await downloadFrom('http://127.0.0.1:9/')).toBe(
      'fetch failed; if this computer is online, set HTTPS_PROXY for a proxy, NODE_EXTRA_CA_CERTS for one that inspects TLS, or ELECTRON_MIRROR for another source',
    );
  });

  it('trusts the system’s certificates', async () => {
    const { baseUrl, caPem } = await startTlsHost((_request, response) => response.writeHead(404).end());
    const file = join(temporaryFolder(), 'authorities.pem');
    await writeFile(file, caPem);
    vi.stubEnv('SSL_CERT_FILE', file);
    expect(await downloadFrom(`${baseUrl}/`)).toMatch(/404/);
  });
});
