// A plain round robin in front of service processes, as docs/operations.md expects it of a proxy: it checks their health, sends a
// request that is safe to repeat to the next one if a process ends, and otherwise says when to come back.
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { closeServer } from '#shared/node/close-server.ts';

const checkEveryMs = 300;

/** Forwards `port` to these ports of this machine. Resolves when it listens. */
export async function startProxy(port: number, servers: readonly number[]): Promise<{ url: string }> {
  const ready = new Set<number>();
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const check = async () => {
    for (const server of servers) {
      const { status } = (await fetch(`http://127.0.0.1:${server}/health/ready`).catch(() => undefined)) ?? {};
      if (status === 200) ready.add(server);
      else ready.delete(server);
    }
  };
  const checking = setInterval(() => void check(), checkEveryMs);

  async function handle(received: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(received);
    const isRepeatable = received.method === 'GET' || received.url === '/token/';
    const candidates = ready.size > 0 ? [...ready] : servers;
    turn += 1;
    for (let tried = 0; tried < (isRepeatable ? candidates.length : 1); tried += 1) {
      const server = candidates[(turn + tried) % candidates.length] ?? 0;
      const answer = await forward({ received, body, port: server, agent }).catch(() => undefined);
      if (!answer) continue;
      response.writeHead(answer.status, answer.headers).end(answer.body);
      return;
    }
    response.writeHead(503, { 'retry-after': '2' }).end();
  }

  const proxy = createServer((received, response) => {
    handle(received, response).catch(() => response.destroy());
  });
  onTestFinished(async () => {
    clearInterval(checking);
    agent.destroy();
    await closeServer(proxy);
  });
  await new Promise<void>((resolve) => void proxy.listen(port, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${port}` };
}

type Forwarded = { received: IncomingMessage; body: Buffer; port: number; agent: Agent };

async function forward({ received, body, port, agent }: Forwarded) {
  const { method, url, headers, socket } = received;
  const forwarded = { ...headers, 'x-forwarded-for': socket.remoteAddress ?? '' };
  const sent = request({ host: '127.0.0.1', port, method, path: url, headers: forwarded, agent }).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const { connection: _connection, ...own } = answer.headers;
  return { status: answer.statusCode ?? 502, headers: own, body: await buffer(answer) };
}
