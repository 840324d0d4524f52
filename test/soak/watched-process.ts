// Starts a program of the project with the probe in it and gathers its reports, together with what the system reports about
// it: resident memory, open files, and the size of its data folder's databases.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type ProcessSample, type ThreadSample, threadSampleSchema } from './sample.ts';

const probe = new URL('probe.ts', import.meta.url).href;
const kilobyte = 1024;

export type WatchedProcess = {
  /** The line of JSON that it printed when it was ready. */
  introduction: unknown;
  /** Undefined until every thread has reported. */
  sample(): ProcessSample | undefined;
  /** The last words of a process that ended unasked, or undefined. */
  lastWords(): string | undefined;
  stop(): Promise<number | null>;
};

export async function startWatched(
  entry: string,
  flags: readonly string[],
  dataFolder: string,
  environment: Readonly<Record<string, string>>,
): Promise<WatchedProcess> {
  const path = fileURLToPath(new URL(`../../${entry}`, import.meta.url));
  const logFile = join(dataFolder, 'stderr.log');
  const child = spawn(process.execPath, ['--import', probe, path, ...flags, '--data', dataFolder], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', openSync(logFile, 'w'), 'ipc'],
  });
  const threads = new Map<string, ThreadSample>();
  child.on('message', (message) => {
    const parsed = threadSampleSchema.safeParse(message);
    if (parsed.success) threads.set(parsed.data.thread, parsed.data);
  });
  const ended = once(child, 'exit');
  const lastWords = () => readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n');
  const introduction = await firstLine(child, ended);
  if (introduction === undefined) throw new Error(`${entry} ended before it was ready. It said:\n${lastWords()}`);
  return {
    introduction: JSON.parse(introduction),
    sample: () =>
      threads.size === 0 ? undefined : { ...systemView(child.pid, dataFolder), threads: new Map(threads) },
    lastWords: () => (child.exitCode !== null || child.signalCode !== null ? lastWords() : undefined),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT');
      await ended;
      return child.exitCode;
    },
  };
}

async function firstLine(child: ChildProcess, ended: Promise<unknown>): Promise<string | undefined> {
  if (!child.stdout) throw new Error('The process has no output to read.');
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), ended.then(() => undefined)]);
  return first && String(first[0]);
}

/** From Linux's /proc; elsewhere these are 0, and the threads' heaps remain to be judged. */
function systemView(pid: number | undefined, dataFolder: string): Omit<ProcessSample, 'threads'> {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return {
      residentBytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * kilobyte,
      openFiles: readdirSync(`/proc/${pid}/fd`).length,
      databaseBytes: databaseBytes(dataFolder),
    };
  } catch {
    return { residentBytes: 0, openFiles: 0, databaseBytes: databaseBytes(dataFolder) };
  }
}

function databaseBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.sqlite(-wal)?$|segment/.test(name))
    .reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}
