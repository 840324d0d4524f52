// Runs `rainbell`: as a process, with its output, its exit code, and its signals, or a command to its end in the test's process.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { runCommandLine } from '#command-line/run-command-line.ts';
import { readLine } from '#command-line/start-command-line.ts';
import { createOutput } from '#command-line/terminal/output.ts';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import { threadEntries } from '#test/core/core-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { noteMissing } from '#test/setup/missing.ts';

export const launcher = fileURLToPath(new URL('../../scripts/rainbell.mjs', import.meta.url));

export type Ending = { code: number | null; out: string; words: string };

export type RainbellProcess = {
  child: ChildProcess;
  /** Resolves with the first match in what it says on stderr. */
  says: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Resolves when stdout has this number of lines. */
  prints: (lines: number) => Promise<string[]>;
  ended: Promise<Ending>;
};

type RunOptions = { environment?: Readonly<Record<string, string>>; input?: string; clock?: Clock };

const ownEnvironment = {
  RAINBELL_PROVIDER: 'simulation',
  // Its own rain, which depends on the date, would cause events.
  RAINBELL_SIMULATED_RAIN: 'off',
  RAINBELL_CLIENT_SECRET: '',
};
export const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The address that a command says it listens at. */
export const listeningAddress = /Listening at (http:\/\/127\.0\.0\.1:(\d+))/;

export function startRainbell(args: readonly string[], { environment, input }: RunOptions = {}): RainbellProcess {
  const child = spawn(process.execPath, [launcher, ...args], {
    env: { ...process.env, ...ownEnvironment, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  if (input !== undefined) child.stdin.end(input);
  const ended = collectEnding(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    child,
    ended,
    says: (pattern) => whenFound(child, 'stderr', (text) => pattern.exec(text) ?? undefined, ended),
    prints: (count) =>
      whenFound(
        child,
        'stdout',
        (text) => {
          const lines = text.split('\n').slice(0, -1);
          return lines.length >= count ? lines : undefined;
        },
        ended,
      ),
  };
}

/** Runs a command in this process, with the output and the exit code of `rainbell`, in a fraction of its time. */
export function openRainbell(
  args: readonly string[],
  { environment, input = '', clock = systemClock }: RunOptions = {},
) {
  const texts = { out: '', words: '' };
  const stream = (name: keyof typeof texts) =>
    new Writable({
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        texts[name] += chunk;
        done();
      },
    });
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const openInput = () => Readable.from(input === '' ? [] : [Buffer.from(input)]);
  const code = runCommandLine(args, {
    version,
    clock,
    environment: { ...process.env, ...ownEnvironment, ...environment },
    workers: { ...threadEntries, places: new URL('../../service/places/places-worker.ts', import.meta.url) },
    output: createOutput({ out: stream('out'), words: stream('words') }),
    readLine: () => readLine(openInput(), ending.signal),
    openInput,
    openTerminal: () => undefined,
    signal: ending.signal,
  });
  return { texts, code, interrupt: () => ending.abort() };
}

/** Runs a command to its end. */
export async function runRainbell(args: readonly string[], options?: RunOptions): Promise<Ending> {
  const { texts, code } = openRainbell(args, options);
  return { code: await code, ...texts };
}

const collected = new WeakMap<ChildProcess, { stdout: string; stderr: string }>();

async function collectEnding(child: ChildProcess): Promise<Ending> {
  const texts = { stdout: '', stderr: '' };
  collected.set(child, texts);
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (part: string) => (texts[name] += part));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out: texts.stdout, words: texts.stderr };
}

function whenFound<Found>(
  child: ChildProcess,
  name: 'stdout' | 'stderr',
  find: (text: string) => Found | undefined,
  ended: Promise<Ending>,
): Promise<Found> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = find(collected.get(child)?.[name] ?? '');
      if (found === undefined) return;
      child[name]?.off('data', look);
      resolve(found);
    };
    child[name]?.on('data', look);
    look();
    void ended.then(({ code, out, words }) => {
      look();
      reject(new Error(`rainbell ended with ${code} before that. It printed:\n${out}\nand said:\n${words}`));
    });
  });
}

/** Whether a command can run in a terminal here: in util-linux's `script`. */
export function hasTerminal(): boolean {
  if (process.platform !== 'linux') return false;
  return existsSync('/usr/bin/script') || noteMissing('Debian’s package bsdutils') === '';
}

/** Runs a command in a pseudo terminal, as a user with a keyboard does. */
export function startInTerminal(args: string, environment: Readonly<Record<string, string>> = {}) {
  const child = spawn('/usr/bin/script', ['-qefc', `'${process.execPath}' '${launcher}' ${args}`, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm', SHELL: '/bin/sh', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (screen += part));
  return {
    screen: () => screen,
    press: (key: string) => void child.stdin.write(key),
    /** Waits for what a key or a callback prints from here on. */
    async shows(pattern: RegExp, act: () => unknown) {
      const from = screen.length;
      await act();
      await expect.poll(() => screen.slice(from), { timeout: 60_000 }).toMatch(pattern);
    },
    closed: once(child, 'close'),
  };
}

/** A data folder with a connection that was saved in the app; `selected` is the one in use, by default the sandbox. */
export function folderWithConnection(fields: object, selected?: string): string {
  const folder = join(temporaryFolder(), 'data');
  mkdirSync(folder);
  const connection = {
    id: 'c-1',
    name: 'Staging',
    color: 'orange',
    baseUrl: 'https://api.example.com',
    authUrl: 'https://api.example.com',
    clientId: 'client1',
    isPublic: false,
    redirectUri: '',
    scope: '',
    caPem: null,
    proxyUrl: null,
    ...fields,
  };
  const settings = { connections: [connection], ...(selected !== undefined && { selectedConnection: selected }) };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
  return folder;
}

/** A callback as the service sends it. */
export async function sendCallback(baseUrl: string, monitorId: string, path = '/hooks/test'): Promise<number> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'rainbell-event': '1' },
    body: JSON.stringify({ id: monitorId, monitor_type: 'precipitation' }),
  });
  return answer.status;
}
