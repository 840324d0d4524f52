// Runs `rainbell` as a user does: as a process, with its output, its exit code, and its signals.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const launcher = fileURLToPath(new URL('../../scripts/rainbell.mjs', import.meta.url));

export type Ending = { code: number | null; out: string; words: string };

export type RainbellProcess = {
  child: ChildProcess;
  /** Resolves with the first match in what it says on stderr. */
  says: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Resolves when stdout has this number of lines. */
  prints: (lines: number) => Promise<string[]>;
  ended: Promise<Ending>;
};

type RunOptions = { environment?: Readonly<Record<string, string>>; input?: string };

/** The address that a command says it listens at. */
export const listeningAddress = /Listening at (http:\/\/127\.0\.0\.1:(\d+))/;

export function startRainbell(args: readonly string[], { environment, input }: RunOptions = {}): RainbellProcess {
  const child = spawn(process.execPath, [launcher, ...args], {
    env: {
      ...process.env,
      RAINBELL_PROVIDER: 'simulation',
      // Its own rain, which depends on the date, would cause events.
      RAINBELL_SIMULATED_RAIN: 'off',
      RAINBELL_CLIENT_SECRET: '',
      ...environment,
    },
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

/** Runs it to its end. */
export function runRainbell(args: readonly string[], options: RunOptions = {}): Promise<Ending> {
  return startRainbell(args, { input: '', ...options }).ended;
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
      if (found !== undefined) resolve(found);
    };
    child[name]?.on('data', look);
    look();
    void ended.then(({ code, out, words }) => {
      look();
      reject(new Error(`rainbell ended with ${code} before that. It printed:\n${out}\nand said:\n${words}`));
    });
  });
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
