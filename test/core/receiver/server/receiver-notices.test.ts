// What the receiver shows of what its thread reports, and what it does if the thread ends.
import { expect, test } from 'vitest';
import { startScripted } from './scripted-receiver.ts';

async function startListening(...given: Parameters<typeof startScripted>) {
  const started = startScripted(...given);
  await expect.poll(() => started.receiver.state().state).toBe('listening');
  started.log.states = 0;
  return started;
}

const changed = (dropped: number) => ({ kind: 'changed' as const, newestId: 9, total: 4, dropped });

test('passes on counts and outcomes', async () => {
  const { receiver, counts, log } = await startListening({ reports: { clear: [changed(0), { kind: 'outcomes' }] } });
  await receiver.clear();
  expect([counts, log.outcomes, log.states]).toEqual([[{ newestId: 9, total: 4 }], 1, 0]);
});

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

test('shows all notices, that of the port first', async () => {
  const { receiver } = await startListening({
    taken: [4545],
    reports: { clear: [changed(1), { kind: 'trouble', message: 'full' }] },
  });
  await receiver.clear();
  expect(receiver.state().notice).toMatch(/^Port 4545 .* 4546\. A callback .*: full\. .* The oldest /);
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
