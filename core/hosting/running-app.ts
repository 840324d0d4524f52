// Finds the process that has a data folder, and calls its procedures. It writes its port and a secret into a file that only its owner can
// read (core/app/command-server.ts). A killed process leaves the file behind, so the folder's lock counts.
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import { z } from 'zod';
import { type AppClient, type AppErrorCode, appErrorCodes, type AppErrorDetails } from '@rainbell/contract/app-rpc';
import { lockFile, writePrivateFile } from '@rainbell/shared/node';
import { AppFailure } from '../errors/app-failure.ts';

const runningAppSchema = z.object({ port: z.int().min(1).max(65_535), secret: z.string().regex(/^[\w-]{43}$/) });

/** An agent may read, and propose changes to the user. */
export type Caller = 'command' | 'agent';

/** Returns the function that removes the file. Throws the system's error if the file can't be written. */
export function announceApp(dataFolder: string, running: z.infer<typeof runningAppSchema>): () => void {
  writePrivateFile(fileIn(dataFolder), `${JSON.stringify(running)}\n`);
  return () => rmSync(fileIn(dataFolder), { force: true });
}

/** Whether a process has the folder now, app or command. */
export function isFolderInUse(dataFolder: string): boolean {
  const file = join(dataFolder, 'app.lock');
  const lock = existsSync(file) ? lockFile(file, 'exclusive') : { release() {} };
  lock?.release();
  return lock === undefined;
}

const answerMs = 5000;

export type RunningApp = { client: AppClient; close: () => void };

/** Undefined if no process has the folder, or it does not answer. */
export async function findRunningApp(dataFolder: string, caller: Caller): Promise<RunningApp | undefined> {
  if (!isFolderInUse(dataFolder)) return undefined;
  let running;
  try {
    running = runningAppSchema.parse(JSON.parse(readFileSync(fileIn(dataFolder), 'utf8')));
  } catch {
    return undefined;
  }
  const agent = new Agent({ keepAlive: true });
  const link = new RPCLink({
    url: `http://127.0.0.1:${running.port}/${caller}`,
    headers: { authorization: `Bearer ${running.secret}` },
    fetch: (request) => send(request, agent),
    interceptors: [rethrowing(failureOf)],
  });
  const client = createORPCClient<AppClient>(link);
  try {
    await client.app.status(undefined, { signal: AbortSignal.timeout(answerMs) });
    return { client, close: () => agent.destroy() };
  } catch {
    agent.destroy();
    return undefined;
  }
}

export class AppLost extends AppFailure {
  constructor(cause: unknown) {
    super('UNAVAILABLE', 'Rainbell was closed or restarted. Try again.', {}, { cause });
  }
}

/** A URL of the running app that works once; undefined if it serves no browser. */
export async function requestNewAddress(dataFolder: string, hash: string | undefined): Promise<string | undefined> {
  const running = await findRunningApp(dataFolder, 'command');
  try {
    return (await running?.client.app.newAddress({ hash }))?.url;
  } catch {
    return undefined;
  } finally {
    running?.close();
  }
}

/** The failure that an error of a procedure reports; any other error means that the process has ended. */
export function failureOf(error: unknown): unknown {
  if (error instanceof AppFailure || (error instanceof Error && error.name === 'AbortError')) return error;
  if (error instanceof ORPCError && appErrorCodes.includes(error.code as AppErrorCode))
    return new AppFailure(error.code as AppErrorCode, error.message, error.data as AppErrorDetails);
  return new AppLost(error);
}

/** An interceptor that throws what `read` makes of what was thrown. */
export function rethrowing(read: (error: unknown) => unknown) {
  return async <Result>({ next }: { next: () => Promise<Result> }): Promise<Result> => {
    try {
      return await next();
    } catch (error) {
      throw read(error);
    }
  };
}

/** `fetch` may use a proxy of the environment. */
async function send(request: Request, agent: Agent): Promise<Response> {
  const { method, signal, url } = request;
  const headers = Object.fromEntries(request.headers);
  const body = Buffer.from(await request.arrayBuffer());
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { agent, method, headers, signal }, (response) => {
      const fields = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
      resolve(new Response(bodyOf(response), { status: response.statusCode ?? 500, headers: fields }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A lost connection ends it early: what it carries has an end of its own. */
function bodyOf(response: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      response.on('error', () => {});
      response.on('data', (chunk: Buffer) => controller.enqueue(chunk));
      response.once('close', () => controller.close());
    },
    cancel() {
      response.removeAllListeners('data').removeAllListeners('close').destroy();
    },
  });
}

function fileIn(dataFolder: string): string {
  return join(dataFolder, 'running.json');
}
