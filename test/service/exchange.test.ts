// One POST of one event, at the limits of its time (docs/delivery.md S5): nothing is sent after its time ran out, also
// where it never got a connection.
import { Agent } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { exchange } from '#service/delivery/exchange.ts';
import { startCallbackEndpoint } from './callback-endpoint.ts';

it('a POST that waits for a connection until its time ran out fails in time, and is never sent', async () => {
  let release = () => {};
  const endpoint = await startCallbackEndpoint((_callback, response, index) => {
    if (index === 0) release = () => void response.writeHead(204).end();
    else response.writeHead(204).end();
  });
  const agent = new Agent({ connections: 1, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  onTestFinished(() => agent.destroy());
  const post = (body: string, timeoutMs: number) =>
    exchange({ dispatcher: agent, url: new URL(endpoint.url), headers: {}, body, timeoutMs });

  const first = post('first', 10_000);
  await endpoint.waitFor(1);
  const started = performance.now();
  await expect(post('second', 300)).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(performance.now() - started).toBeLessThan(2_000);

  const third = post('third', 10_000);
  release();
  expect((await first).status).toBe(204);
  expect((await third).status).toBe(204);
  expect(endpoint.received.map(({ body }) => body)).toEqual(['first', 'third']);
});

it('a POST whose connection is never made fails in time', async () => {
  // The look-up of its name never ends.
  const agent = new Agent({ connect: { lookup: () => {} } });
  onTestFinished(() => agent.destroy());
  const url = new URL('http://swallowed.example/');
  const started = performance.now();
  await expect(exchange({ dispatcher: agent, url, headers: {}, body: '', timeoutMs: 300 })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  expect(performance.now() - started).toBeLessThan(2_000);
});
