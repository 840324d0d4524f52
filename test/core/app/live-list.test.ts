// A screen's live list over a link that breaks again and again while callbacks arrive: it has every one in the end, once.
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { connectScreen } from '../core-harness.ts';
import { startWithReceiver } from '../callbacks/callback-harness.ts';

test('a list that was cut off ten times under load has no gap', async () => {
  const { core, baseUrl } = await startWithReceiver();
  const agent = new Agent({ connections: 16 });
  onTestFinished(() => agent.destroy());
  const total = 2000;
  let sent = 0;
  const sender = async () => {
    while (sent < total) {
      sent += 1;
      const answer = await request(`${baseUrl}/hooks/${sent}`, { method: 'POST', body: 'x', dispatcher: agent });
      await answer.body.dump();
      expect(answer.statusCode).toBe(200);
    }
  };
  const sending = Promise.all(Array.from({ length: 16 }, sender));
  const seen = new Set<number>();
  let newest = 0;

  /** One life of the link: reads what is new at each notice, until it is cut after a number of them. */
  async function watch(noticesUntilCut: number): Promise<void> {
    const { client, close } = await connectScreen(core);
    let left = noticesUntilCut;
    for await (const notice of await client.app.notices()) {
      if (notice.topic !== 'callbacks') continue;
      let beforeId: number | undefined;
      const top = notice.newestId;
      do {
        const { items } = await client.callbacks.list(
          beforeId === undefined ? { limit: 500 } : { limit: 500, beforeId },
        );
        for (const { id } of items) seen.add(id);
        beforeId = items.at(-1)?.id;
      } while (beforeId !== undefined && beforeId > newest + 1);
      newest = Math.max(newest, top);
      left -= 1;
      if (left === 0 || newest >= total) break;
    }
    await close();
  }

  for (let life = 0; life < 10; life += 1) await watch(2);
  await sending;
  while (newest < total) await watch(Infinity);
  expect([...seen].toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: total }, (_, index) => index + 1),
  );
});
