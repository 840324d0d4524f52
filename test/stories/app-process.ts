// Starts the app as `npm run headless` does: host, core and service in a process of their own.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import { openAppSession } from '#test/setup/app-client.ts';
import { runEntry } from '#test/setup/run-entry.ts';
import { readStart, unreachableProviders } from './service-process.ts';

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
  const { announced, stop } = await readStart(child, 'SIGINT');
  const { url } = announcementSchema.parse(announced);
  return { url, child, stop };
}

/** The app with a client of its own, once its service has started. */
export async function openAppProcess(
  dataFolder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ app: AppProcess; client: AppClient }> {
  const app = await startAppProcess(dataFolder, environment);
  onTestFinished(async () => void (await app.stop()));
  const { client, disconnect } = await openAppSession(app.url);
  onTestFinished(disconnect);
  await expect.poll(async () => (await client.app.status()).connection.state).toBe('ready');
  return { app, client };
}
