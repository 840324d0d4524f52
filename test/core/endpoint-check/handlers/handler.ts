// A webhook handler as a user might write it, right at `/right`, and with one mistake at the path of each case. Prints its port.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const key = Buffer.from((process.env['WEBHOOK_SECRET'] ?? '').replace('whsec_', ''), 'base64');
const shortLimitMs = Number(process.env['SHORT_LIMIT_SECONDS']) * 1000;
type State = { done: Set<string>; begun: Set<string>; newest: number };
const states = new Map<string, State>();

function verify(request: IncomingMessage, body: Buffer, fault: string): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => request.headers[`webhook-${name}`],
  );
  if (fault === 'missing-signature' && signatures === undefined) return true;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false;
  if (fault !== 'old-signature' && Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  if (fault === 'wrong-signature') return true;
  const expected = Buffer.from(createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64'));
  const entries = fault === 'rotated-secret' ? [signatures] : signatures.split(' ');
  return entries.some((entry) => {
    const given = Buffer.from(entry.slice(entry.indexOf(',') + 1));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function readBody(request: IncomingMessage, fault: string): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    if (fault === 'slow') request.setTimeout(shortLimitMs, () => resolve(undefined));
    request.on('data', (chunk: Buffer) => {
      if (fault === 'one-megabyte' && length > 65_536) return;
      chunks.push(chunk);
      length += chunk.length;
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => {});
  });
}

const known = new Set(['uri', 'geo', 'id', 'callback_uri', 'monitor_type', 'padding']);

async function respond(request: IncomingMessage, fault: string): Promise<number> {
  const state = states.get(fault) ?? { done: new Set(), begun: new Set(), newest: 0 };
  states.set(fault, state);
  const id = String(request.headers['webhook-id']);
  if (fault === 'retry') {
    if (state.begun.has(id) && !state.done.has(id)) return 409;
    state.begun.add(id);
  }
  const body = await readBody(request, fault);
  if (body === undefined) return 408;
  if (!verify(request, body, fault)) return 401;
  if (state.done.has(id)) return fault === 'same-id-twice' ? 409 : 200;
  const timestamp = Number(request.headers['webhook-timestamp']);
  if (fault === 'out-of-order' && timestamp < state.newest) return 400;
  state.newest = Math.max(state.newest, timestamp);
  const event = JSON.parse(body.toString()) as Record<string, unknown>;
  if (fault === 'unknown-field' && Object.keys(event).some((name) => !known.has(name))) return 422;
  if (fault === 'gone' && event['id'] !== 'precipitation_1') return 500;
  state.done.add(id);
  return 204;
}

function onRequest(request: IncomingMessage, response: ServerResponse): void {
  void respond(request, (request.url ?? '').slice(1)).then((status) => response.writeHead(status).end());
}

const server = createServer(onRequest);
server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
  if (request.url === '/interim-responses') return response.writeHead(417).end();
  response.writeContinue();
  onRequest(request, response);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
