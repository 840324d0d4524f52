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

test('has no notice if any port will do', async () => {
  const { receiver } = await startListening({ taken: [0] }, { port: 0 });
  expect([receiver.port(), receiver.state().notice]).toEqual([1, null]);
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
