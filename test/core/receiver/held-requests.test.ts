// Requests that a rule holds until the user answers them, over real sockets.
import { describe, expect, it } from 'vitest';
import { maxHeld } from '#contract/app-rpc/rule-text.ts';
import { type HeldRequest, receiverRulesSchema } from '#contract/app-rpc/rules.ts';
import { openRaw } from '../raw-http.ts';
import { startReceiver, type ReceiverHarness } from './receiver-harness.ts';

const holding = (delayMs: number) =>
  receiverRulesSchema.parse({ rules: [{ name: 'by hand', path: '/*', steps: [{ kind: 'hold', delayMs }] }] });

const answer = (status: number) => ({ status, headers: [] as [string, string][], body: '' });

async function heldBy({ receiver }: ReceiverHarness, count: number): Promise<readonly HeldRequest[]> {
  await expect.poll(() => receiver.held().length).toBe(count);
  return receiver.held();
}

describe('a rule that holds', () => {
  it('waits for the user, sends their status, headers, and body, and records that it was by hand', async () => {
    const harness = await startReceiver({ rules: holding(60_000) });
    const { receiver, pages, baseUrl } = harness;
    const sent = fetch(`${baseUrl}/hooks/a?x=1`, { method: 'POST', body: '{}' });
    const [held] = await heldBy(harness, 1);
    expect(held).toMatchObject({ callbackId: 1, method: 'POST', target: '/hooks/a?x=1', rule: 'by hand' });
    expect(Date.parse(held?.until ?? '') - Date.parse(held?.receivedAt ?? '')).toBeGreaterThanOrEqual(60_000);
    expect(pages.get(1)?.outcome.kind).toBe('waiting');
    await receiver.respondToHeld(1, { status: 418, headers: [['x-by', 'hand']], body: 'no' });
    const response = await sent;
    expect([response.status, response.headers.get('x-by'), await response.text()]).toEqual([418, 'hand', 'no']);
    await expect.poll(() => pages.get(1)?.outcome.kind).toBe('answered');
    expect(pages.get(1)?.answeredStatus).toBe(418);
    expect(pages.get(1)?.answer()).toMatchObject({
      isByHand: true,
      action: 'answer',
      status: 418,
      rule: 'by hand',
      step: 1,
    });
    await heldBy(harness, 0);
    await expect(receiver.respondToHeld(1, answer(200))).rejects.toThrow('Request 1 is no longer held');
  });

  it('answers 504 when its time is over', async () => {
    const harness = await startReceiver({ rules: holding(1000) });
    const response = await fetch(harness.baseUrl, { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([
      504,
      'No one responded to this held request within 1 s.\n',
    ]);
    await heldBy(harness, 0);
    await expect.poll(() => harness.pages.get(1)?.answer()?.status).toBe(504);
    expect(harness.pages.get(1)?.answer()?.isByHand).toBeUndefined();
  });

  it('removes a request whose sender disconnects', async () => {
    const harness = await startReceiver({ rules: holding(60_000) });
    const leaving = new AbortController();
    const sent = fetch(harness.baseUrl, { method: 'POST', signal: leaving.signal });
    await heldBy(harness, 1);
    leaving.abort();
    await expect(sent).rejects.toThrow('aborted');
    await heldBy(harness, 0);
    await expect(harness.receiver.respondToHeld(1, answer(200))).rejects.toThrow('no longer held');
  });

  it(`holds ${maxHeld} requests, and answers more with 503 at once`, async () => {
    const harness = await startReceiver({ rules: holding(60_000) });
    const { receiver, pages, baseUrl } = harness;
    const sent = Array.from({ length: maxHeld }, () => fetch(baseUrl, { method: 'POST' }));
    const held = await heldBy(harness, maxHeld);
    const more = await fetch(baseUrl, { method: 'POST' });
    expect([more.status, more.headers.get('retry-after')]).toEqual([503, '30']);
    await expect.poll(() => pages.get(maxHeld + 1)?.answeredStatus).toBe(503);
    await Promise.all(held.map(({ callbackId }) => receiver.respondToHeld(callbackId, answer(204))));
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 204));
  });

  it('ends with the receiver, and refuses headers that cannot be sent', async () => {
    const harness = await startReceiver({ rules: holding(60_000) });
    const sent = openRaw(harness.port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n').answer;
    await heldBy(harness, 1);
    const odd = { ...answer(200), headers: [['content-length', '7']] as [string, string][] };
    await expect(harness.receiver.respondToHeld(1, odd)).rejects.toThrow('is set by the receiver itself');
    await harness.close();
    expect(await sent).toBe('');
    const again = await startReceiver({ folder: harness.folder });
    expect(again.pages.get(1)).toMatchObject({ answeredStatus: 0, outcome: { kind: 'dropped' } });
  });
});
