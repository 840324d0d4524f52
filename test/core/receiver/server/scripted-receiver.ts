// The app's side of a receiver whose thread follows a script, so that every message between the two can be tested.
import { onTestFinished } from 'vitest';
import { receiverRulesSchema } from '#contract/app-rpc/rules.ts';
import { receiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { createReceiver, type ReceiverOptions } from '#core/receiver/server/receiver.ts';
import type { ReceiverReport } from '#core/receiver/server/receiver-messages.ts';
import type { RunningReceiver } from '#core/receiver/server/run-receiver.ts';
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
    if (name === 'close') parentPort.close();
  });`;

export function startScripted(script: Script = {}, options: Partial<ReceiverOptions> = {}) {
  const clock = createManualClock();
  const log = { messages: [] as Record<string, unknown>[], states: 0, heldChanges: 0, outcomes: 0 };
  const counts: unknown[] = [];
  const receiver = createReceiver({
    workerUrl: new URL(`data:text/javascript,${encodeURIComponent(thread)}`),
    file: JSON.stringify(script),
    port: 4545,
    limits: () => ({ ...receiverLimits, keptCallbacks: 1000 }),
    rules: () => receiverRulesSchema.parse({}),
    clock,
    log: quietLog,
    onState: () => void (log.states += 1),
    onChanged: (changed) => void counts.push(changed),
    onOutcomes: () => void (log.outcomes += 1),
    onHeld: () => void (log.heldChanges += 1),
    onDamage: (detail) => void log.messages.push(JSON.parse(detail) as Record<string, unknown>),
    ...options,
  });
  onTestFinished(() => receiver.close());
  const kinds = () => log.messages.map(({ kind }) => kind);
  return { clock, receiver, log, counts, kinds };
}
