// Where the running app serves `rainbell mcp`: reading, and changes that the user allows. Only this machine reaches it, and only with
// the token of a file that belongs to the user.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import type { AgentAction } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { Log } from '../ports/log.ts';
import type { Clock } from '@rainbell/shared';
import { masking } from '../traffic/mask.ts';
import {
  agentRequestSchema,
  type AgentRequest,
  helloSchema,
  maxReplyLength,
  maxLineLength,
  removeServerAddress,
  writeServerAddress,
} from './agent-protocol.ts';

export type AgentServer = {
  /** For the guard of outgoing requests; undefined before it listens. */
  port: () => number | undefined;
  close: () => Promise<void>;
};

type Reading = Exclude<AgentRequest, { method: 'propose' | 'cancel' }>;

type AgentServerDependencies = {
  dataFolder: string;
  clock: Clock;
  log: Log;
  read: (request: Reading, signal: AbortSignal) => Promise<unknown>;
  /** Asks the user for consent, and makes the change if they allow it. */
  propose: (agent: string, action: AgentAction, signal: AbortSignal) => Promise<unknown>;
  /** Takes known secrets out of a response. */
  mask: (text: string) => string;
};

const maxAgents = 8;
/** Connections that have not sent the token yet; the oldest makes room. */
const maxGuests = 100;
const maxRequests = 20;
const helloMs = 5000;

export function openAgentServer(dependencies: AgentServerDependencies): AgentServer {
  const { dataFolder, log } = dependencies;
  const token = randomBytes(32).toString('base64url');
  const guests = new Set<Socket>();
  const agents = new Set<Socket>();
  const server: Server = createServer((socket) => {
    guests.add(socket);
    const [oldest] = guests;
    if (guests.size > maxGuests) oldest?.destroy();
    socket.on('close', () => {
      guests.delete(socket);
      agents.delete(socket);
    });
    serveAgent(socket, token, dependencies, () => {
      guests.delete(socket);
      agents.add(socket);
      return agents.size <= maxAgents;
    });
  });
  let port: number | undefined;
  server.on('error', (error) => log.warn({ err: error }, 'agents cannot reach the app'));
  server.listen(0, '127.0.0.1', () => {
    port = (server.address() as AddressInfo).port;
    try {
      writeServerAddress(dataFolder, { port, token });
    } catch (error) {
      log.warn({ err: error }, 'agents.json could not be written');
    }
  });
  return {
    port: () => port,
    close: () =>
      new Promise((resolve) => {
        removeServerAddress(dataFolder);
        server.close(() => resolve());
        for (const socket of [...guests, ...agents]) socket.destroy();
      }),
  };
}

/** `admit`: whether there is room for one more agent; called once the token was right. */
function serveAgent(socket: Socket, token: string, dependencies: AgentServerDependencies, admit: () => boolean): void {
  let agent: string | undefined;
  const running = new Map<number, AbortController>();
  const end = () => socket.destroy();
  const cancelHello = dependencies.clock.after(helloMs, end);
  let bytesOfLine = 0;
  socket.on('data', (chunk: Buffer) => {
    const lastLine = chunk.lastIndexOf(10);
    bytesOfLine = lastLine === -1 ? bytesOfLine + chunk.length : chunk.length - lastLine;
    if (bytesOfLine > maxLineLength || chunk.length > maxLineLength) end();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    cancelHello();
    for (const controller of running.values()) controller.abort();
  });
  createInterface({ input: socket }).on('line', (line) => {
    if (agent === undefined) {
      const hello = helloSchema.safeParse(parsed(line)).data;
      if (!hello || !isSame(hello.token, token) || !admit()) return end();
      cancelHello();
      agent = hello.agent;
      return undefined;
    }
    const message = agentRequestSchema.safeParse(parsed(line)).data;
    if (!message) return end();
    const { id, request } = message;
    if (request.method === 'cancel') return running.get(request.requestId)?.abort();
    if (running.size >= maxRequests || running.has(id)) return end();
    const controller = new AbortController();
    running.set(id, controller);
    const work =
      request.method === 'propose'
        ? dependencies.propose(agent, request.action, controller.signal)
        : dependencies.read(request, controller.signal);
    void reply(socket, id, work, dependencies).finally(() => running.delete(id));
    return undefined;
  });
}

async function reply(
  socket: Socket,
  id: number,
  work: Promise<unknown>,
  { log, mask }: AgentServerDependencies,
): Promise<void> {
  let text: string;
  try {
    text = JSON.stringify({ id, result: await work }, masking(mask));
    if (text.length > maxReplyLength) {
      throw new AppFailure('INVALID_INPUT', 'The result is too long. Request less data.');
    }
  } catch (error) {
    if (!(error instanceof AppFailure)) log.error({ err: error }, 'an agent request failed');
    const failure =
      error instanceof AppFailure
        ? { code: error.code, message: error.message }
        : { code: 'INTERNAL', message: 'Rainbell couldn’t do that. See its log.' };
    text = JSON.stringify({ id, error: failure }, masking(mask));
  }
  if (socket.writable) socket.write(`${text}\n`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
