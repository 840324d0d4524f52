// A callback endpoint over real HTTP that writes down what it gets and answers as the test says. Cleans up after itself.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { waitForCount } from './eventually.ts';
import { listen } from '#test/setup/listen.ts';

export type Callback = { path: string; method: string; headers: IncomingHttpHeaders; body: string };

export type CallbackEndpoint = {
  url: string;
  port: number;
  received: readonly Callback[];
  /** Resolves when `count` callbacks have arrived in all. */
  waitFor(count: number): Promise<readonly Callback[]>;
};

type Answer = (callback: Callback, response: ServerResponse, index: number) => void;

const accept: Answer = (_callback, response) => void response.writeHead(204).end();

export async function startCallbackEndpoint(answer: Answer = accept): Promise<CallbackEndpoint> {
  const received: Callback[] = [];
  function keep(callback: Callback, response: ServerResponse): void {
    received.push(callback);
    answer(callback, response, received.length - 1);
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      keep({ path: request.url ?? '', method: request.method ?? '', headers: request.headers, body }, response);
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/rain`,
    port,
    received,
    async waitFor(count) {
      await waitForCount(count, () => received.length, `callbacks at ${port}`);
      return received;
    },
  };
}
