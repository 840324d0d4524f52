// Whatever a screen's socket carries: no message ends the app, and the next honest question is answered.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startCore } from '#test/core/core-harness.ts';
import { oddJsonText } from './odd-json.ts';

const names = ['i', 't', 'p', 'u', 'b', 'h', 'json', 'meta', 'maps', 'method'];
// With ids that the client's own counting never reaches: an answer to one of these is not the client's.
const message = fc.oneof(
  oddJsonText(names),
  fc.uint8Array({ maxLength: 200 }),
  fc
    .constantFrom('/settings/update', '/callbacks/list', '/__proto__', '/app/notices')
    .map((path) => JSON.stringify({ i: 'odd', p: { u: path, b: { json: { beforeId: 'x', limit: -1 } } } })),
);

it('leaves the app answering', async () => {
  // oRPC says on the console what it left aside.
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => said.mockRestore());
  const { client, socket } = await startCore();
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 10 }), async (messages) => {
      for (const one of messages) socket.send(one);
      expect((await client.app.status()).host).toBe('headless');
    }),
    { numRuns: 60 },
  );
});
