// The app's side of the receiver: starts its thread, reports its port and why it is a different one, and restarts the thread if it
// ends unexpectedly. Acknowledged callbacks are on disk in any case.
import { Worker } from 'node:worker_threads';
import { type Clock, plural } from '@rainbell/shared';
import type { HeldRequest, HeldResponse, ReceiverRules, ReceiverState } from '@rainbell/contract/app-rpc';
import { createCalledThread } from '../../ports/called-thread.ts';
import type { Log } from '../../ports/log.ts';
import { AppFailure } from '../../errors/app-failure.ts';
import { findPortOwner } from '../access/port-owner.ts';
import { checkHeaders } from '../rules/receiver-rules.ts';
import { closedAccess, type ListenAccess, type ReceiverLimits } from '../access/receiver-limits.ts';
import type { ReceiverWorkerData } from './receiver-worker.ts';
import type { ReceiverEndpoint, ReceiverReport, RunningReceiver } from './run-receiver.ts';

export type Receiver = ReturnType<typeof createReceiver>;

export type ReceiverOptions = {
  workerUrl: URL;
  file: string;
  /** 0 takes any free one. */
  port: number;
  /** Without it only this machine has access, without TLS. */
  access?: () => Promise<ListenAccess>;
  limits: () => ReceiverLimits;
  rules: () => ReceiverRules;
  endpoints?: () => readonly ReceiverEndpoint[];
  clock: Clock;
  log: Log;
  onState: () => void;
  onChanged: (counts: { newestId: number; total: number }) => void;
  onOutcomes?: () => void;
  onHeld?: () => void;
  /** The thread found the store damaged; it stores nothing more. */
  onDamage?: (detail: string) => void;
  /** Whether the store is known to be damaged when a thread starts. */
  isDamaged?: () => boolean;
};

const restartDelayMs = 1000;
/** Small, or the thread's memory grows by a third while V8 finds out how much of what arrives lives for a moment only. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 };

export function createReceiver(options: ReceiverOptions) {
  const { clock, log, onState } = options;
  /** Its notice is about the port; the others are in `problems`, each until it no longer holds. */
  let state: ReceiverState = { state: 'starting', baseUrl: null, notice: null };
  const problems: Record<'trouble' | 'dropped', string | null> = { trouble: null, dropped: null };
  const starting = Promise.withResolvers<void>();
  let wantedPort = options.port;
  let port: number | null = null;
  let scheme = 'http';
  let held: readonly HeldRequest[] = [];
  let isClosing = false;
  let cancelRestart = () => {};
  const thread = createCalledThread<RunningReceiver, ReceiverReport>({
    create() {
      const { file, limits, rules, endpoints = () => [] } = options;
      const workerData: ReceiverWorkerData = { file, limits: limits(), rules: rules(), endpoints: endpoints() };
      const worker = new Worker(options.workerUrl, { workerData, name: 'receiver', resourceLimits });
      return worker.on('error', (error) => log.error({ err: error }, 'the receiver thread failed'));
    },
    failed: (message = 'The receiver stopped.') => new AppFailure('STORAGE', message),
    onReport: hear,
    onEnd() {
      if (isClosing) return;
      hear({ kind: 'held', held: [] });
      port = null;
      setState({ state: 'failed', baseUrl: null, notice: 'The receiver stopped unexpectedly and is restarting.' });
      cancelRestart = clock.after(restartDelayMs, start);
    },
  });
  start();

  function start(): void {
    thread.start();
    void open();
  }

  function setState(next: ReceiverState): void {
    state = next;
    starting.resolve();
    onState();
  }

  function setProblem(about: 'trouble' | 'dropped', sentence: string | null): void {
    if (problems[about] === sentence) return;
    problems[about] = sentence;
    onState();
  }

  function hear(report: ReceiverReport): void {
    if (report.kind === 'changed') {
      const { newestId, total, dropped } = report;
      setProblem('dropped', droppedText(dropped, options.limits().keptCallbacks));
      options.onChanged({ newestId, total });
    }
    if (report.kind === 'outcomes') options.onOutcomes?.();
    if (report.kind === 'held') {
      ({ held } = report);
      options.onHeld?.();
    }
    if (report.kind === 'damaged') options.onDamage?.(report.detail);
    if (report.kind === 'trouble') {
      const why = report.message;
      const text = why && `A callback could not be stored: ${why}. Its sender got status 503 and may try again.`;
      setProblem('trouble', text);
    }
  }

  async function open(): Promise<void> {
    try {
      if (options.isDamaged?.()) await thread.call('stopStoring');
      await listen(wantedPort);
    } catch (error) {
      log.error({ err: error }, 'the callback receiver could not listen');
      const message = error instanceof Error ? error.message : String(error);
      setState({ state: 'failed', baseUrl: null, notice: `The receiver cannot listen (${message}).` });
    }
  }

  async function listen(requestedPort: number): Promise<void> {
    const access = (await options.access?.()) ?? closedAccess;
    scheme = access.tls ? 'https' : 'http';
    await listening(await thread.call('listen', requestedPort, access));
  }

  async function listening(actualPort: number): Promise<void> {
    port = actualPort;
    const isWanted = wantedPort === 0 || actualPort === wantedPort;
    const notice = isWanted
      ? null
      : `Port ${wantedPort} is in use by ${await findPortOwner(wantedPort)}, so callbacks arrive on port ${actualPort}.`;
    setState({ state: 'listening', baseUrl: `${scheme}://127.0.0.1:${actualPort}`, notice });
  }

  return {
    state: (): ReceiverState => ({
      ...state,
      notice: [state.notice, problems.trouble, problems.dropped].filter((one) => one !== null).join(' ') || null,
    }),
    /** Resolves when it listens for the first time, or if it can't. */
    started: (): Promise<void> => starting.promise,
    port: (): number | null => port,
    /** Listens on its port again, with the current `access()`. */
    reopen: (): Promise<void> => listen(port ?? wantedPort),
    /** Moves to exactly this port. Throws PORT_TAKEN with the next free port, and then keeps the current one. */
    async move(nextPort: number) {
      if (nextPort === port) return;
      const actualPort = await thread.call('move', nextPort);
      if (actualPort !== nextPort) throw await portTaken(nextPort, actualPort);
      wantedPort = nextPort;
      await listening(actualPort);
    },
    /** Calls what runs in the thread. Throws AppFailure STORAGE. */
    call: thread.call,
    /** Requests that wait for the user's response, oldest first. */
    held: (): readonly HeldRequest[] => held,
    /** Throws AppFailure NOT_FOUND if it is no longer held, INVALID_INPUT for a header that can't be sent. */
    async respondToHeld(callbackId: number, response: HeldResponse) {
      checkHeaders(response.headers, 'headers');
      if (await thread.call('respondToHeld', callbackId, response)) return;
      const message = `Request ${callbackId} is no longer held: its sender disconnected, or it timed out.`;
      throw new AppFailure('NOT_FOUND', message);
    },
    async close() {
      isClosing = true;
      starting.resolve();
      cancelRestart();
      // Everything that waits is on disk when this is answered.
      await thread.call('close').catch(() => {});
      await thread.terminate();
    },
  };
}

async function portTaken(port: number, freePort: number): Promise<AppFailure> {
  const message = `Port ${port} is in use by ${await findPortOwner(port)}. Port ${freePort} is free.`;
  return new AppFailure('PORT_TAKEN', message, { field: 'port', port: freePort });
}

function droppedText(dropped: number, keptCallbacks: number): string | null {
  if (dropped === 0) return null;
  return plural(
    dropped,
    [
      'The oldest callback was deleted because a limit in Settings was reached: the number of callbacks ({limit}), their total size, or their age.',
      'The # oldest callbacks were deleted because a limit in Settings was reached: the number of callbacks ({limit}), their total size, or their age.',
    ],
    { limit: keptCallbacks.toLocaleString('en') },
  );
}
