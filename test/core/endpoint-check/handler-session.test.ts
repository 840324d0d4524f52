// What a handler's session leaves behind: nothing.
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { startCore } from '#test/core/core-harness.ts';
import { listen } from '#test/setup/listen.ts';

test('two starts at once leave one session, whose rule is not stored and ends with it', async () => {
  const handler = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(202).end());
  });
  const url = `http://127.0.0.1:${await listen(handler)}/`;
  const { client, statusWhere } = await startCore();
  await statusWhere(({ receiver }) => receiver.state === 'listening');
  const wanted = { url, sender: 'github', secret: 'it is a secret' };
  const [first, second] = await Promise.all([client.handler.start(wanted), client.handler.start(wanted)]);
  expect(first.id).not.toBe(second.id);
  expect((await client.handler.state()).session?.id).toBe(second.id);
  expect((await client.rules.get()).rules).toEqual([]);
  const send = async () => (await fetch(second.receiverUrl, { method: 'POST', body: '{}' })).status;
  expect(await send()).toBe(202);
  await client.handler.stop();
  const withoutSecret = client.handler.start({ ...wanted, secret: null });
  await expect(withoutSecret).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('Enter the secret'),
  });
  // The receiver's own response.
  expect(await send()).toBe(200);
});
