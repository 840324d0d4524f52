// The stream of notices: the present state first, then changes, and never a pile for a slow screen.
import { expect, onTestFinished, test } from 'vitest';
import type { Notice } from '#contract/app-rpc/app.ts';
import { createNoticeHub } from '#core/ports/notices.ts';

const writable = () => Promise.resolve();

async function take(stream: AsyncIterator<Notice>, count: number): Promise<Notice[]> {
  const taken: Notice[] = [];
  for (let index = 0; index < count; index += 1) {
    const next = await stream.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

test('a screen hears the present state first, then what changes', async () => {
  const hub = createNoticeHub();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const stream = hub.listen({ present: [{ topic: 'status' }], signal: stop.signal, whenWritable: writable });
  expect(await take(stream, 1)).toEqual([{ topic: 'status' }]);
  hub.publish({ topic: 'callbacks', newestId: 1, total: 1 });
  expect(await take(stream, 1)).toEqual([{ topic: 'callbacks', newestId: 1, total: 1 }]);
});

test('a slow screen gets the newest notice of each topic, however many there were', async () => {
  const hub = createNoticeHub();
  const stop = new AbortController();
  let resume = () => {};
  let isSlow = false;
  const whenWritable = () => (isSlow ? new Promise<void>((resolve) => (resume = resolve)) : Promise.resolve());
  const stream = hub.listen({ present: [{ topic: 'status' }], signal: stop.signal, whenWritable });
  await take(stream, 1);
  isSlow = true;
  const next = take(stream, 2);
  for (let id = 1; id <= 91_000; id += 1) hub.publish({ topic: 'callbacks', newestId: id, total: id });
  hub.publish({ topic: 'monitors' });
  isSlow = false;
  resume();
  expect(await next).toEqual([{ topic: 'callbacks', newestId: 91_000, total: 91_000 }, { topic: 'monitors' }]);
  stop.abort();
  expect(await stream.next()).toMatchObject({ done: true });
});

test('closing the app ends the stream', async () => {
  const hub = createNoticeHub();
  const stream = hub.listen({ present: [], signal: new AbortController().signal, whenWritable: writable });
  const next = stream.next();
  hub.close();
  expect(await next).toMatchObject({ done: true });
});
