// One POST of one event, at the limits of its time (docs/delivery.md S5): nothing is sent after its time ran out, also
// where it never got a connection.
import { Agent } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { sendPost } from '#service/monitors/delivery/send-callback.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';

it('a POST that waits for a connection until its time ran out fails in time, and is never sent', async () => {
  let release = () => {};
  const endpoint = await startCallbackEndpoint((_callback, response, index) => {
    if (index === 0) release = () => void response.writeHead(204).end();
    else response.writeHead(204).end();
  });
  const agent = new Agent({ connections: 1, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  onTestFinished(() => agent.destroy());
  const post = (body: string, timeoutMs: number) =>
    sendPost({ dispatcher: agent, url: new URL(endpoint.url), headers: {}, body, timeoutMs });

  const first = post('first', 10_000);
  await endpoint.waitFor(1);
  const started = performance.now();
  await expect(post('second', 300)).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(performance.now() - started).toBeLessThan(8_000);

  const third = post('third', 10_000);
  release();
  expect((await first).status).toBe(204);
  expect((await third).status).toBe(204);
  expect(endpoint.received.map(({ body }) => body)).toEqual(['first', 'third']);
});

it('a POST that never gets a connection fails before its time limit', async () => {
  // The look-up of its name never ends.
  const agent = new Agent({ connect: { lookup: () => {} } });
  onTestFinished(() => agent.destroy());
  const url = new URL('http://swallowed.example/');
  const started = performance.now();
  await expect(sendPost({ dispatcher: agent, url, headers: {}, body: '', timeoutMs: 300 })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  expect(performance.now() - started).toBeLessThan(8_000);
});

it('an endless response ends after 64 KB, and its status counts', async () => {
  let [isClosed, sentBytes] = [false, 0];
  const endpoint = await startCallbackEndpoint((_callback, response) => {
    response.writeHead(202);
    response.on('close', () => (isClosed = true));
    const part = Buffer.alloc(16_384, 'x');
    const write = () => {
      do sentBytes += part.length;
      while (!isClosed && response.write(part));
    };
    response.on('drain', write);
    write();
  });
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  const url = new URL(endpoint.url);
  const answer = await sendPost({ dispatcher: agent, url, headers: {}, body: '', timeoutMs: 3_000 });
  expect(answer.status).toBe(202);
  await expect.poll(() => isClosed).toBe(true);
  // What sockets hold comes on top.
  expect(sentBytes).toBeLessThan(16 * 1024 ** 2);
});
