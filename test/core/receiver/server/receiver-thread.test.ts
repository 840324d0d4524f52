// How the app's side of the receiver starts its thread, calls it, shows what it reports, and what it does if the thread ends. The
// thread follows a script.
import { expect, onTestFinished, test } from 'vitest';
import { receiverRulesSchema } from '#contract/app-rpc/rules.ts';
import { receiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { createReceiver, type ReceiverOptions } from '#core/receiver/server/receiver.ts';
import type { ReceiverReport, RunningReceiver } from '#core/receiver/server/run-receiver.ts';
import { quietLog } from '#test/core/core-harness.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

type Call = keyof RunningReceiver;
type Script = {
  /** Ports in use: the thread takes the next one. */
  taken?: readonly number[];
  /** What the thread reports before it replies to a call. */
  reports?: Partial<Record<Call, readonly ReceiverReport[]>>;
  /** Calls that it cannot do, and why. */
  failures?: Partial<Record<Call, string>>;
  /** The call at which the thread ends. */
  endsAt?: Call;
};

/** Gets its script as the name of the file. Sends each call back as the detail of a damage. */
const thread = `
  import { parentPort, workerData } from 'node:worker_threads';
  const { taken = [], reports = {}, failures = {}, endsAt } = JSON.parse(workerData.file);
  const send = (message) => parentPort.postMessage(message);
  send({ kind: 'damaged', detail: JSON.stringify({ kind: 'data', ...workerData, file: '' }) });
  parentPort.on('message', ({ call, name, args }) => {
    send({ kind: 'damaged', detail: JSON.stringify({ kind: name, args }) });
    for (const report of reports[name] ?? []) send(report);
    if (name === endsAt) return process.exit();
    if (name in failures) return send({ kind: 'failed', call, message: failures[name] });
    send({ kind: 'done', call, result: taken.includes(args[0]) ? args[0] + 1 : args[0] });
  });`;

function startScripted(script: Script = {}, options: Partial<ReceiverOptions> = {}) {
  const clock = createManualClock();
  const log = { messages: [] as Record<string, unknown>[], states: 0, heldChanges: 0 };
  const receiver = createReceiver({
    workerUrl: new URL(`data:text/javascript,${encodeURIComponent(thread)}`),
    file: JSON.stringify(script),
    port: 4545,
    limits: () => ({ ...receiverLimits, keptCallbacks: 1000 }),
    rules: () => receiverRulesSchema.parse({}),
    clock,
    log: quietLog,
    onState: () => void (log.states += 1),
    onChanged: () => {},
    onHeld: () => void (log.heldChanges += 1),
    onDamage: (detail) => void log.messages.push(JSON.parse(detail) as Record<string, unknown>),
    ...options,
  });
  onTestFinished(() => receiver.close());
  const kinds = () => log.messages.map(({ kind }) => kind);
  return { clock, receiver, log, kinds };
}

const listening = { state: 'listening', baseUrl: 'http://127.0.0.1:4545', notice: null };
const settings = { name: 'a', id: 'a', path: '/a', keptCallbacks: null, keptDays: null, keptMegabytes: null };

async function startListening(...given: Parameters<typeof startScripted>) {
  const started = startScripted(...given);
  await expect.poll(() => started.receiver.state().state).toBe('listening');
  started.log.states = 0;
  return started;
}

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

test('starts with limits, rules, and endpoints, and stores nothing from the start if the store is damaged', async () => {
  const { kinds, log } = await startListening({}, { isDamaged: () => true, endpoints: () => [settings] });
  expect(kinds()).toEqual(['data', 'stopStoring', 'listen']);
  expect(log.messages[0]).toMatchObject({
    limits: { keptCallbacks: 1000 },
    rules: receiverRulesSchema.parse({}),
    endpoints: [settings],
  });
});

test('fails a call that the thread cannot do', async () => {
  const { receiver } = await startListening({ failures: { clear: 'the disk is full' } });
  await expect(receiver.call('clear')).rejects.toMatchObject({ code: 'STORAGE', message: 'the disk is full' });
  await receiver.call('remove', [1]);
});

const changed = (dropped: number) => ({ kind: 'changed' as const, newestId: 9, total: 4, dropped });

test.each([
  [1, /^The oldest callback was .*\(1,000\)/],
  [2, /^The 2 oldest callbacks were .*\(1,000\)/],
])('reports %i deleted callbacks, once', async (dropped, text) => {
  const { receiver, log } = await startListening({ reports: { clear: [changed(dropped), changed(dropped)] } });
  await receiver.call('clear');
  expect([receiver.state().notice, log.states]).toEqual([expect.stringMatching(text), 1]);
});

test('reports a callback that could not be stored, until another one can', async () => {
  const { receiver, log } = await startListening({
    reports: {
      clear: [{ kind: 'trouble', message: 'the disk is full' }],
      remove: [{ kind: 'trouble', message: null }],
    },
  });
  await receiver.call('clear');
  expect(receiver.state().notice).toMatch(/: the disk is full\. .* 503 /);
  await receiver.call('remove', []);
  expect([receiver.state().notice, log.states]).toEqual([null, 2]);
});

test('starts another thread a second after one ended unexpectedly', async () => {
  const held = [{ callbackId: 3, receivedAt: '', until: '', method: 'POST', target: '/', rule: 'a' }];
  const { clock, receiver, kinds, log } = await startListening({
    endsAt: 'remove',
    reports: { clear: [{ kind: 'held', held }] },
  });
  await receiver.call('clear');
  await expect(receiver.call('remove', [])).rejects.toMatchObject({ code: 'STORAGE' });
  expect([receiver.state(), receiver.port(), receiver.held()]).toEqual([
    { state: 'failed', baseUrl: null, notice: expect.stringContaining('restart') },
    null,
    [],
  ]);
  expect(log.heldChanges).toBe(2);
  await expect(receiver.call('clear')).rejects.toMatchObject({ code: 'STORAGE' });
  clock.advance(999);
  expect(kinds()).toEqual(['data', 'listen', 'clear', 'remove']);
  clock.advance(1);
  await expect.poll(() => receiver.state().state).toBe('listening');
  expect(receiver.state().notice).toBeNull();
  await receiver.call('clear');
  expect(kinds().slice(4)).toEqual(['data', 'listen', 'clear']);
});

test('ends its thread, and starts no other one', async () => {
  const { clock, receiver, kinds, log } = await startListening({ endsAt: 'close' });
  await receiver.close();
  expect([kinds(), log.states]).toEqual([['data', 'listen', 'close'], 0]);
  const ended = await startListening({ endsAt: 'remove' });
  await expect(ended.receiver.call('remove', [])).rejects.toMatchObject({ code: 'STORAGE' });
  await ended.receiver.close();
  ended.clock.advance(1000);
  clock.advance(1000);
  expect(ended.receiver.state().state).toBe('failed');
  await expect(ended.receiver.call('clear')).rejects.toMatchObject({ code: 'STORAGE' });
});
