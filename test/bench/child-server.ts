// A server under measurement in a process of its own, ours or another's: started on one core if the machine can do that,
// waited for until it says or shows that it is ready, and ended with all its children.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { headlessEnvironment, headlessFlags } from '#scripts/headless-node.mjs';
import { type Usage, usageOfTree } from '#scripts/process-tree.ts';
import { projectFolder } from '#scripts/tool.mjs';

export type ChildServer = AsyncDisposable & {
  /** The first line it printed, or an empty text if readiness was checked by URL. */
  firstLine: string;
  usage: () => Usage;
  stop: () => Promise<void>;
};

type Command = {
  /** Node without it. */
  command?: string;
  args: readonly string[];
  /** Ready when this answers anything over HTTP; without it, when the first line is printed. */
  address?: string;
  env?: Readonly<Record<string, string>>;
  /** False if the server needs several cores. */
  onOneCore?: boolean;
};

const politeMs = 2_000;
const readyMs = 120_000;
/** The server has one core and the load the other: see docs/performance.md. */
const taskset = '/usr/bin/taskset';

export async function startChildServer({
  command = process.execPath,
  onOneCore = true,
  ...given
}: Command): Promise<ChildServer> {
  const isPinned = onOneCore && existsSync(taskset);
  const [program, ...args] = [...(isPinned ? [taskset, '-c', '0'] : []), command, ...given.args] as [string];
  const child = spawn(program, args, {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...given.env },
  });
  const id = child.pid;
  if (id === undefined) throw new Error(`${command} could not be started.`);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-500)));
  const ended = once(child, 'exit');
  // Its whole group: it was started as the leader of one.
  const kill = () => void process.kill(-id, 'SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    // Politely first, for what it does at its end, like keeping what it compiled.
    child.kill('SIGTERM');
    const giveUp = setTimeout(kill, politeMs);
    await ended;
    clearTimeout(giveUp);
  };
  const line = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  try {
    const firstLine = await Promise.race([
      given.address === undefined ? line.then(([text]) => text) : answers(given.address),
      ended.then(() => Promise.reject(new Error(`it ended: ${said}`))),
      pause(readyMs, undefined, { ref: false }).then(() => {
        throw new Error(`it was not ready in ${readyMs} ms: ${said}`);
      }),
    ]);
    return { firstLine, usage: () => usageOfTree(id), stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw new Error(`${command} ${given.args.join(' ')}: ${String(error)}`, { cause: error });
  }
}

async function answers(address: string): Promise<string> {
  for (const until = performance.now() + readyMs; performance.now() < until;) {
    const response = await fetch(address).catch(() => undefined);
    if (response) return response.arrayBuffer().then(() => '');
    await pause(20);
  }
  throw new Error(`${address} did not answer`);
}

/** The service or the app, as `npm run service` and `npm run headless` start it after a build, on this folder. */
export function startRainbell(
  name: 'service' | 'headless',
  dataFolder: string,
  { flags = [], ...more }: Pick<Command, 'env' | 'onOneCore'> & { flags?: readonly string[] },
): Promise<ChildServer> {
  const isApp = name === 'headless';
  const entry = [join(projectFolder, 'scripts', 'run.cjs'), join(projectFolder, name, 'main.ts')];
  const own = ['--json', '--port', '0', '--data', dataFolder, ...(isApp ? ['--no-open'] : [])];
  return startChildServer({
    ...more,
    args: [...(isApp ? headlessFlags : []), ...flags, ...entry, ...own],
    env: { ...(isApp ? headlessEnvironment : {}), ...more.env },
  });
}

/** Four callback endpoints in processes of their own, so that their CPU time is not ours. */
export async function startCallbackServers(): Promise<AsyncDisposable & { urls: string[] }> {
  const servers = new AsyncDisposableStack();
  const urls: string[] = [];
  const args = [fileURLToPath(new URL('./callback-sink.ts', import.meta.url))];
  for (let count = 0; count < 4; count += 1) {
    const { firstLine: port } = servers.use(await startChildServer({ args, onOneCore: false }));
    urls.push(`http://127.0.0.1:${port}/`);
  }
  return { urls, [Symbol.asyncDispose]: () => servers.disposeAsync() };
}
