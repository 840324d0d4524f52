// Starts the app as `npm run headless` does: host, core and service in a process of their own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { runEntry } from '#test/setup/run-entry.ts';
import { unreachableProviders } from './service-process.ts';

const entry = fileURLToPath(new URL('../../headless/main.ts', import.meta.url));
const announcementSchema = z.object({ url: z.url() });

/** `url` holds the single-use ticket. */
export type AppProcess = { url: string; child: ChildProcess; stop(): Promise<number | null> };

export async function startAppProcess(
  dataFolder: string,
  environment: Readonly<Record<string, string>> = {},
  flags: readonly string[] = ['--json', '--no-open'],
): Promise<AppProcess> {
  const child = spawn(process.execPath, [...runEntry, entry, '--port', '0', ...flags, '--data', dataFolder], {
    // The simulation's own rain, which depends on the date, would cause events.
    env: { ...process.env, ...unreachableProviders, RAINBELL_SIMULATED_RAIN: 'off', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const ended = once(child, 'exit');
  const first = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(() => undefined),
  ]);
  if (!first) throw new Error(`The app ended before it was ready. It said:\n${complaints}`);
  const { url } = announcementSchema.parse(JSON.parse(String(first[0])));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT');
    await ended;
    return child.exitCode;
  };
  return { url, child, stop };
}
