// How the app's side of the receiver starts its thread, calls it, and shows its state.
import { expect, test } from 'vitest';
import { receiverRulesSchema } from '#contract/app-rpc/rules.ts';
import { startScripted } from './scripted-receiver.ts';

const listening = { state: 'listening', baseUrl: 'http://127.0.0.1:4545', notice: null };
const settings = { name: 'a', id: 'a', path: '/a', keptCallbacks: null, keptDays: null, keptMegabytes: null };

async function startListening(...given: Parameters<typeof startScripted>) {
  const started = startScripted(...given);
  await expect.poll(() => started.receiver.state().state).toBe('listening');
  return started;
}

test('listens on its port with what the thread needs to know', async () => {
  const started = startScripted({}, { endpoints: () => [settings] });
  const { receiver, log } = started;
  expect([receiver.state(), receiver.port()]).toEqual([{ state: 'starting', baseUrl: null, notice: null }, null]);
  await expect.poll(() => receiver.state()).toEqual(listening);
  expect([receiver.port(), log.states]).toEqual([4545, 1]);
  expect(log.messages).toEqual([
    expect.objectContaining({
      kind: 'data',
      limits: expect.objectContaining({ keptCallbacks: 1000 }),
      rules: receiverRulesSchema.parse({}),
      endpoints: [settings],
    }),
    { kind: 'listen', port: 4545, access: { tls: null, lanToken: null } },
  ]);
});

test('names the port that it got if its own is in use, and listens on that one from then on', async () => {
  const { receiver, kinds, log } = await startListening({ taken: [4545] });
  const { baseUrl, notice } = receiver.state();
  expect([receiver.port(), baseUrl]).toEqual([4546, 'http://127.0.0.1:4546']);
  expect(notice).toMatch(/^Port 4545 .* 4546\.$/);
  await receiver.reopen();
  expect(log.messages.at(-1)).toMatchObject({ kind: 'listen', port: 4546 });
  await receiver.move(4546);
  expect(kinds()).toEqual(['data', 'listen', 'listen']);
  await receiver.move(4547);
  expect(receiver.state()).toEqual({ ...listening, baseUrl: 'http://127.0.0.1:4547' });
});

test('has no notice if any port will do', async () => {
  const { receiver } = await startListening({ taken: [0] }, { port: 0 });
  expect([receiver.port(), receiver.state().notice]).toEqual([1, null]);
});

test('does not move to a port in use, and names a free one', async () => {
  const { receiver } = await startListening({ taken: [1] });
  await expect(receiver.move(1)).rejects.toMatchObject({
    code: 'PORT_TAKEN',
    details: { field: 'port', port: 2 },
    message: expect.stringMatching(/^Port 1 .*another program.* Port 2 /),
  });
  expect([receiver.port(), receiver.state()]).toEqual([4545, listening]);
});

test('has https addresses with TLS', async () => {
  const access = { tls: { key: 'k', cert: 'c' }, lanToken: 't' };
  const { receiver, log } = await startListening({}, { access: async () => access });
  expect(receiver.state().baseUrl).toBe('https://127.0.0.1:4545');
  expect(log.messages.at(-1)).toEqual({ kind: 'listen', port: 4545, access });
});

test.each([
  ['the port', { failures: { listen: 'no right to' } }, {}, 'no right to'],
  ['the access', {}, { access: () => Promise.reject(new Error('no keyring')) }, 'no keyring'],
])('reports that it cannot listen because of %s', async (_, script, options, reason) => {
  const { receiver } = startScripted(script, options);
  await expect.poll(() => receiver.state().state).toBe('failed');
  expect(receiver.state()).toMatchObject({ baseUrl: null, notice: expect.stringContaining(`(${reason})`) });
});

test('stores nothing from the start if the store is damaged', async () => {
  const { kinds } = await startListening({}, { isDamaged: () => true });
  expect(kinds()).toEqual(['data', 'stop-storing', 'listen']);
});

test('passes calls on to the thread', async () => {
  const { receiver, log } = await startListening();
  log.messages.length = 0;
  await receiver.applyRules();
  await receiver.applyLimits();
  await receiver.applyEndpoints();
  await receiver.stopStoring();
  await receiver.clear();
  await receiver.remove([1, 2]);
  await receiver.store([]);
  const progress = { connectionId: 'a', source: 'b', cursor: 'c' };
  await receiver.storeFeed([], progress);
  expect(log.messages).toEqual([
    { kind: 'rules', rules: receiverRulesSchema.parse({}) },
    { kind: 'limits', limits: expect.objectContaining({ keptCallbacks: 1000 }) },
    { kind: 'endpoints', endpoints: [] },
    { kind: 'stop-storing' },
    { kind: 'clear' },
    { kind: 'remove', ids: [1, 2] },
    { kind: 'store', callbacks: [] },
    { kind: 'store-feed', callbacks: [], progress },
  ]);
});

test('passes on the current endpoints', async () => {
  const endpoints = [settings];
  const { receiver, log } = await startListening({}, { endpoints: () => endpoints });
  endpoints.push({ ...settings, id: 'b' });
  await receiver.applyEndpoints();
  expect(log.messages.at(-1)).toEqual({ kind: 'endpoints', endpoints });
});

test('fails a call that the thread cannot do', async () => {
  const { receiver } = await startListening({ failures: { clear: 'the disk is full' } });
  await expect(receiver.clear()).rejects.toMatchObject({ code: 'STORAGE', message: 'the disk is full' });
  await receiver.remove([1]);
});

const held = [
  { callbackId: 3, receivedAt: '', until: '', method: 'POST', target: '/', rule: 'a' },
  { callbackId: 4, receivedAt: '', until: '', method: 'POST', target: '/', rule: 'a' },
];
const response = { status: 200, headers: [['X-A', '1']] as [string, string][], body: 'b' };

test('responds to a held request', async () => {
  const { receiver, log } = await startListening({ wasHeld: true, reports: { clear: [{ kind: 'held', held }] } });
  expect(receiver.held()).toEqual([]);
  await receiver.clear();
  expect([receiver.held(), log.heldChanges]).toEqual([held, 1]);
  await receiver.respondToHeld(3, response);
  expect(log.messages.at(-1)).toEqual({ kind: 'answer-held', callbackId: 3, response });
});

test('refuses a response that no longer has a request, or has a header that cannot be sent', async () => {
  const { receiver, kinds } = await startListening({ wasHeld: false });
  await expect(receiver.respondToHeld(3, response)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const before = kinds().length;
  await expect(receiver.respondToHeld(3, { ...response, headers: [['a b', '']] })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    details: { field: 'headers' },
  });
  expect(kinds()).toHaveLength(before);
});
