// Whatever arrives at the callback receiver: its sender gets an answer or is cut off, every stored request can be shown with
// its checks, and the next honest callback is stored.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { expect, it } from 'vitest';
import { openRaw } from '#test/core/raw-http.ts';
import { startCore } from '#test/core/core-harness.ts';
import { oddJsonText } from './odd-json.ts';

const names = ['id', 'monitor_type', 'callback_uri', 'geo', 'type', 'coordinates', 'uri', 'lat', 'lng'];
const headerText = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 30,
});
const header = fc.tuple(
  fc.constantFrom('content-type', 'Webhook-Id', 'webhook-timestamp', 'webhook-signature', 'transfer-encoding', 'x'),
  headerText,
);
const line = fc.constantFrom(
  'POST / HTTP/1.1',
  'GET /a?b HTTP/1.1',
  'POST * HTTP/1.1',
  'PUT http://x/ HTTP/1.0',
  'QUERY / HTTP/9.9',
);

it('leaves the receiver storing, and the screen able to show what it received', async () => {
  const { client, statusWhere } = await startCore();
  const { receiver } = await statusWhere((status) => status.receiver.baseUrl !== null);
  const baseUrl = receiver.baseUrl ?? '';
  const port = Number(new URL(baseUrl).port);
  await fc.assert(
    fc.asyncProperty(line, fc.array(header, { maxLength: 5 }), oddJsonText(names), async (first, headers, body) => {
      const sent = Buffer.from(body);
      const head = [first, 'Host: x', 'Connection: close', ...headers.map(([name, value]) => `${name}: ${value}`)];
      const { answer, socket } = openRaw(port, `${head.join('\r\n')}\r\nContent-Length: ${sent.length}\r\n\r\n`);
      socket.end(sent);
      await answer;
      const { items } = await client.callbacks.list({ limit: 1 });
      for (const { id } of items) expect((await client.callbacks.get({ id })).checks.length).toBeGreaterThan(0);
      expect((await fetch(baseUrl, { method: 'POST', body: 'honest' })).status).toBe(200);
    }),
    { numRuns: 100 },
  );
});
