// The line from `rainbell mcp` to the running app.
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { AppFailure } from '../errors/app-failure.ts';
import { agentReplySchema, type AgentRequest, readServerAddress } from './agent-protocol.ts';

export type AgentLine = {
  /** Throws the AppFailure of the app; UNAVAILABLE if the line is lost. */
  call: (request: AgentRequest, signal?: AbortSignal) => Promise<unknown>;
  close: () => void;
};

type Waiting = { resolve: (result: unknown) => void; reject: (failure: AppFailure) => void };

/** Undefined if no app runs with the data folder. */
export async function openAgentLine(dataFolder: string, agent: string): Promise<AgentLine | undefined> {
  const address = readServerAddress(dataFolder);
  const socket = address && (await reach(address.port));
  if (!address || !socket) return undefined;
  const waiting = new Map<number, Waiting>();
  let isOver = false;
  let newestId = 0;
  const send = (message: unknown) => socket.write(`${JSON.stringify(message)}\n`);
  send({ token: address.token, agent });
  socket.on('error', () => {});
  socket.once('close', () => {
    isOver = true;
    for (const one of waiting.values()) one.reject(lost());
    waiting.clear();
  });
  createInterface({ input: socket }).on('line', (line) => {
    const message = agentReplySchema.safeParse(JSON.parse(line)).data;
    if (!message) return;
    const one = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) one?.reject(new AppFailure(message.error.code, message.error.message));
    else one?.resolve(message.result);
  });
  return {
    call(request, signal) {
      if (isOver) return Promise.reject(lost());
      newestId += 1;
      const id = newestId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        send({ id, request });
        signal?.addEventListener(
          'abort',
          () => {
            newestId += 1;
            if (!isOver) send({ id: newestId, request: { method: 'cancel', requestId: id } });
          },
          { once: true },
        );
      });
    },
    close: () => socket.destroy(),
  };
}

function reach(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}

function lost(): AppFailure {
  return new AppFailure('UNAVAILABLE', 'Rainbell was closed or restarted. Call the tool again.');
}
