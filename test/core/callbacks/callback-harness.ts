// An app with callbacks in its store, and servers to send to.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Clock } from '#shared/time/clock.ts';
import { startCore, type CoreHarness, type MemoryHost } from '../core-harness.ts';
import { listen } from '#test/setup/listen.ts';

export type CallbackHarness = CoreHarness & {
  baseUrl: string;
  /** Sends to the receiver and waits for the answer. */
  post: (
    path: string,
    body?: string | Uint8Array,
    headers?: Record<string, string>,
    method?: string,
  ) => Promise<Response>;
};

export async function startWithReceiver(
  options: { clock?: Clock; host?: MemoryHost; dataFolder?: string; receiverPort?: number } = {},
): Promise<CallbackHarness> {
  const core = await startCore(options);
  const { receiver } = await core.statusWhere(({ receiver: { state } }) => state === 'listening');
  const baseUrl = receiver.baseUrl ?? '';
  return {
    ...core,
    baseUrl,
    post: (path, body = '', headers = {}, method = 'POST') =>
      fetch(baseUrl + path, { method, headers, ...(method === 'GET' ? {} : { body: body as BodyInit }) }),
  };
}

export const monitorBody = (id: string, callbackUri = 'http://127.0.0.1/hooks/a') => ({
  uri: `/v2/monitors/${id}/`,
  geo: { type: 'Point', coordinates: [7.7, 45.1] },
  id,
  callback_uri: callbackUri,
  monitor_type: 'precipitation',
});

export type Seen = { method: string; url: string; rawHeaders: string[]; body: Buffer };

/** A server that keeps what comes and answers by `answer`. */
export async function startTarget(
  answer: (response: ServerResponse, request: IncomingMessage) => void = (response) => void response.end('thanks'),
): Promise<{ url: string; port: number; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', rawHeaders: request.rawHeaders, body });
      answer(response, request);
    });
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, port, seen };
}
