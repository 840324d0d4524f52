// A server under measurement in a process of its own, ours or another's: started on one core if the machine can do that,
// waited for until it says or shows that it is ready, and ended with all its children.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Usage, usageOfTree } from '#scripts/process-tree.ts';

export type ChildServer = {
  /** The first line it printed, or an empty text if readiness was checked by URL. */
  firstLine: string;
  usage: () => Usage;
  stop: () => Promise<void>;
};

type Command = {
  command: string;
  args: readonly string[];
  /** Ready when this answers anything over HTTP; without it, when the first line is printed. */
  address?: string;
  env?: Readonly<Record<string, string>>;
  readyWithinMs?: number;
  /** False if the server needs several cores. */
  onOneCore?: boolean;
};

const politeMs = 2_000;
/** The server has one core and the load the other: see docs/performance.md. */
const taskset = '/usr/bin/taskset';

export async function startChildServer({
  readyWithinMs = 120_000,
  onOneCore = true,
  ...given
}: Command): Promise<ChildServer> {
  const isPinned = onOneCore && existsSync(taskset);
  const [command, ...args] = [...(isPinned ? [taskset, '-c', '0'] : []), given.command, ...given.args] as [string];
  const child = spawn(command, args, {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...given.env },
  });
  const id = child.pid;
  if (id === undefined) throw new Error(`${given.command} could not be started.`);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-500)));
  const lines = createInterface({ input: child.stdout });
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
  const line = once(lines, 'line') as Promise<[string]>;
  try {
    const ready = given.address === undefined ? line.then(([text]) => text) : answers(given.address, readyWithinMs);
    const firstLine = await Promise.race([
      ready,
      ended.then(() => Promise.reject(new Error(`it ended: ${said}`))),
      new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error(`it was not ready in ${readyWithinMs} ms: ${said}`)), readyWithinMs).unref();
      }),
    ]);
    return { firstLine, usage: () => usageOfTree(id), stop };
  } catch (error) {
    await stop();
    throw new Error(`${given.command} ${given.args.join(' ')}: ${String(error)}`, { cause: error });
  }
}

async function answers(address: string, withinMs: number): Promise<string> {
  for (const until = performance.now() + withinMs; performance.now() < until;) {
    try {
      await (await fetch(address)).arrayBuffer();
      return '';
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return new Promise(() => {});
}
