// A handler's restarts are noticed, and a handler that serves one connection at a time is not blocked by that.
import { lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { listen } from '#test/setup/listen.ts';
import { watchPort } from '#core/endpoint-check/watch-port.ts';

/** Takes the next connection when the one before is closed, as Python's HTTPServer does. */
function createSerialServer(): Server {
  const waiting: Socket[] = [];
  let isBusy = false;
  const next = () => {
    const socket = waiting.shift();
    isBusy = socket !== undefined;
    socket?.once('close', next).on('error', () => {});
    socket?.on('data', () => socket.end('HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok')).resume();
  };
  return createServer({ pauseOnConnect: true }, (socket) => {
    waiting.push(socket);
    if (!isBusy) next();
  });
}

test('a handler that serves one connection at a time responds while it is watched, and its restart is noticed', async () => {
  const [server, port] = [createSerialServer(), await freePort()];
  await listen(server, port);
  let restarts = 0;
  let looks = 0;
  const clock = {
    after(ms: number, run: () => void) {
      looks += 1;
      return systemClock.after(ms, run);
    },
  };
  const guard = { lookupFor: () => lookup };
  const watch = watchPort(new URL(`http://127.0.0.1:${port}/hook`), clock, guard, () => (restarts += 1));
  onTestFinished(watch.stop);
  for (let request = 0; request < 5; request += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/hook`, { method: 'POST', body: 'x' });
    expect(await response.text()).toBe('ok');
  }
  expect(restarts).toBe(0);
  server.close();
  await once(server, 'close');
  await expect(fetch(`http://127.0.0.1:${port}/hook`)).rejects.toThrow('fetch failed');
  const before = looks;
  await expect.poll(() => looks).toBeGreaterThan(before + 1);
  await listen(createSerialServer(), port);
  await expect.poll(() => restarts).toBe(1);
  watch.sawDown();
  await expect.poll(() => restarts).toBe(2);
});

test('a handler on another computer is not watched', () => {
  const lookups: number[] = [];
  const lookupFor = (port: number) => {
    lookups.push(port);
    return lookup;
  };
  const watch = (url: string) => watchPort(new URL(url), systemClock, { lookupFor }, () => {}).stop();
  watch('http://192.0.2.1:3000/hook');
  expect(lookups).toEqual([]);
  watch('http://localhost:3000/hook');
  expect(lookups).toEqual([3000]);
});
