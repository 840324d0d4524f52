// Callback endpoints in processes of their own, so that their CPU time is not ours.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type CallbackServer = { port: number; stop(): void };

/** It answers 204 on every loopback address. */
export async function startCallbackServer(): Promise<CallbackServer> {
  const file = fileURLToPath(new URL('./callback-sink.ts', import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: Number(line.toString()), stop: () => void child.kill('SIGKILL') };
}
