// How the app's side of the receiver starts its thread, calls it, shows what it reports, and what it does if the thread ends.
import { expect, test } from 'vitest';
import { receiverRulesSchema } from '#contract/app-rpc/rules.ts';
import { startScripted } from './scripted-receiver.ts';

const listening = { state: 'listening', baseUrl: 'http://127.0.0.1:4545', notice: null };
const settings = { name: 'a', id: 'a', path: '/a', keptCallbacks: null, keptDays: null, keptMegabytes: null };

async function startListening(...given: Parameters<typeof startScripted>) {
  const started = startScripted(...given);
  await expect.poll(() => started.receiver.state().state).toBe('listening');
  started.log.states = 0;
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
    { kind: 'listen', args: [4545, { tls: null, lanToken: null }] },
  ]);
});

test('names the port that it got if its own is in use, and listens on that one from then on', async () => {
  const { receiver, kinds, log } = await startListening({ taken: [4545] });
  const { baseUrl, notice } = receiver.state();
  expect([receiver.port(), baseUrl]).toEqual([4546, 'http://127.0.0.1:4546']);
  expect(notice).toMatch(/^Port 4545 .* 4546\.$/);
  await receiver.reopen();
  expect(log.messages.at(-1)).toMatchObject({ kind: 'listen', args: [4546, {}] });
  await receiver.move(4546);
  expect(kinds()).toEqual(['data', 'listen', 'listen']);
  await receiver.move(4547);
  expect(receiver.state()).toEqual({ ...listening, baseUrl: 'http://127.0.0.1:4547' });
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
  expect(kinds()).toEqual(['data', 'stopStoring', 'listen']);
});

test('fails a call that the thread cannot do', async () => {
  const { receiver } = await startListening({ failures: { clear: 'the disk is full' } });
  await expect(receiver.clear()).rejects.toMatchObject({ code: 'STORAGE', message: 'the disk is full' });
  await receiver.remove([1]);
});

const changed = (dropped: number) => ({ kind: 'changed' as const, newestId: 9, total: 4, dropped });

test.each([
  [1, /^The oldest callback was .*\(1,000\)/],
  [2, /^The 2 oldest callbacks were .*\(1,000\)/],
])('reports %i deleted callbacks, once', async (dropped, text) => {
  const { receiver, log } = await startListening({ reports: { clear: [changed(dropped), changed(dropped)] } });
  await receiver.clear();
  expect([receiver.state().notice, log.states]).toEqual([expect.stringMatching(text), 1]);
});

test('reports a callback that could not be stored, until another one can', async () => {
  const { receiver, log } = await startListening({
    reports: {
      clear: [{ kind: 'trouble', message: 'the disk is full' }],
      remove: [{ kind: 'trouble', message: null }],
    },
  });
  await receiver.clear();
  expect(receiver.state().notice).toMatch(/: the disk is full\. .* 503 /);
  await receiver.remove([]);
  expect([receiver.state().notice, log.states]).toEqual([null, 2]);
});

test('starts another thread a second after one ended unexpectedly', async () => {
  const held = [{ callbackId: 3, receivedAt: '', until: '', method: 'POST', target: '/', rule: 'a' }];
  const { clock, receiver, kinds, log } = await startListening({
    endsAt: 'remove',
    reports: { clear: [{ kind: 'held', held }] },
  });
  await receiver.clear();
  await expect(receiver.remove([])).rejects.toMatchObject({ code: 'STORAGE' });
  expect([receiver.state(), receiver.port(), receiver.held()]).toEqual([
    { state: 'failed', baseUrl: null, notice: expect.stringContaining('restart') },
    null,
    [],
  ]);
  expect(log.heldChanges).toBe(2);
  await expect(receiver.clear()).rejects.toMatchObject({ code: 'STORAGE' });
  clock.advance(999);
  expect(kinds()).toEqual(['data', 'listen', 'clear', 'remove']);
  clock.advance(1);
  await expect.poll(() => receiver.state().state).toBe('listening');
  expect(receiver.state().notice).toBeNull();
  await receiver.clear();
  expect(kinds().slice(4)).toEqual(['data', 'listen', 'clear']);
});

test('ends its thread, and starts no other one', async () => {
  const { clock, receiver, kinds, log } = await startListening({ endsAt: 'close' });
  await receiver.close();
  expect([kinds(), log.states]).toEqual([['data', 'listen', 'close'], 0]);
  const ended = await startListening({ endsAt: 'remove' });
  await expect(ended.receiver.remove([])).rejects.toMatchObject({ code: 'STORAGE' });
  await ended.receiver.close();
  ended.clock.advance(1000);
  clock.advance(1000);
  expect(ended.receiver.state().state).toBe('failed');
  await expect(ended.receiver.clear()).rejects.toMatchObject({ code: 'STORAGE' });
});
