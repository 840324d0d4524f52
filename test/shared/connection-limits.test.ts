// A real server of node:http under the rule that service and app share.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { connectionLimits, limitConnections } from '#shared/node/connection-limits.ts';
import { listen } from '#test/setup/listen.ts';

async function startServer(
  limits: Partial<typeof connectionLimits>,
  answer: RequestListener,
  now = () => 0,
): Promise<number> {
  const server = createServer({
    keepAliveTimeout: 60_000,
    headersTimeout: 60_000,
    connectionsCheckingInterval: 60_000,
  });
  limitConnections(server, { ...connectionLimits, ...limits }, now);
  server.on('request', answer);
  const port = await listen(server);
  return port;
}

async function open(port: number, text = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

async function answerOn(socket: Socket): Promise<string> {
  const [bytes] = await once(socket, 'data');
  return String(bytes);
}

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

it('closes the oldest unfinished connection above the limit, once it had its moment', async () => {
  let now = 0;
  const port = await startServer(
    { unfinishedRequests: 2 },
    (_, response) => void response.end('here'),
    () => now,
  );
  const [first, second] = [await open(port), await open(port)];
  const third = await open(port, request);
  expect(await answerOn(third)).toContain('200 OK');
  expect([first.closed, second.closed]).toEqual([false, false]);
  now = 1_000;
  first.resume();
  const gone = once(first, 'close');
  const fourth = await open(port);
  const fifth = await open(port);
  await gone;
  expect([second.closed, fourth.closed, fifth.closed]).toEqual([false, false, false]);
});

it.each([
  { sent: 1_000, reportedRequests: 1, parsed: 4 },
  { sent: 1_000, reportedRequests: 32, parsed: 35 },
  { sent: 10, reportedRequests: 32, parsed: 10 },
])('closes a connection that sends $sent requests at once, and parses $parsed', async ({ sent, parsed, ...limits }) => {
  let seen = 0;
  let answered = 0;
  const port = await startServer({ ...limits, pipelinedRequests: 3 }, ({ socket }, response) => {
    seen += 1;
    if (socket.destroyed) return;
    answered += 1;
    setImmediate(() => response.end('here'));
  });
  const greedy = await open(port, request.repeat(sent));
  greedy.resume();
  await once(greedy, 'close');
  expect({ seen, answered }).toEqual({ seen: parsed, answered: 3 });
  // Its parser is used again.
  for (let count = 0; count < 3; count += 1) {
    const modest = await open(port, request.repeat(3));
    expect(await answerOn(modest)).toContain('200 OK');
  }
});

it('closes a client that takes nothing of its answer, and waits for an answer that is ours to give', async () => {
  const large = Buffer.alloc(64 * 2 ** 20);
  const port = await startServer({ stalledMs: 200 }, ({ url, socket }, response) => {
    // The delayed answer comes when the stalled client has gone.
    if (url === '/delayed') delayed = () => response.end('late');
    else {
      response.end(large);
      socket.once('close', () => delayed());
    }
  });
  let delayed = () => {};
  const patient = await open(port, request.replace('/', '/delayed'));
  const answer = answerOn(patient);
  const stalled = await open(port, request);
  stalled.pause();
  expect(await answer).toContain('late');
});

it('closes after an HTTP/1.0 request with Transfer-Encoding, so that nothing behind it is read as another one', async () => {
  const urls: (string | undefined)[] = [];
  const port = await startServer({}, (asked, response) => {
    urls.push(asked.url);
    asked.resume().once('end', () => response.setHeader('content-length', 4).end('here'));
  });
  const kept = 'Host: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
  const socket = await open(port, `POST /first HTTP/1.0\r\n${kept}`);
  expect(await answerOn(socket)).toMatch(/connection: close/i);
  await once(socket, 'close');
  const newer = await open(port, `POST /newer HTTP/1.1\r\n${kept}`);
  expect(await answerOn(newer)).toMatch(/connection: keep-alive/i);
  expect(urls).toEqual(['/first', '/newer']);
});
