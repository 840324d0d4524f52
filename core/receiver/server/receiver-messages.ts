// The messages between the app's thread and the receiver's thread.
import type { Endpoint, HeldRequest, ReceiverRules } from '@rainbell/contract/app-rpc';
import type { ReceiverLimits } from '../access/receiver-limits.ts';

export type ReceiverWorkerData = {
  file: string;
  limits: ReceiverLimits;
  rules: ReceiverRules;
  endpoints: readonly ReceiverEndpoint[];
};

export type ReceiverEndpoint = Endpoint & { secrets?: readonly string[] };

/** A call of what runs in the receiver's thread (run-receiver.ts). */
export type ToReceiver = { call: number; name: string; args: readonly unknown[] };

/** What the thread reports on its own. */
export type ReceiverReport =
  /** New or dropped callbacks; `dropped` counts those that went for a limit since the start. At a bounded rate. */
  | { kind: 'changed'; newestId: number; total: number; dropped: number }
  /** Outcomes were recorded: rows that screens have look different. At a bounded rate. */
  | { kind: 'outcomes' }
  /** Other requests are held than before; these are all. */
  | { kind: 'held'; held: readonly HeldRequest[] }
  /** Storing failed, for instance since the disk is full; null once it works again. */
  | { kind: 'trouble'; message: string | null }
  /** The store is damaged; the thread has stopped storing. `detail` follows "because". */
  | { kind: 'damaged'; detail: string };

export type FromReceiver =
  | ReceiverReport
  | { kind: 'done'; call: number; result: unknown }
  | { kind: 'failed'; call: number; message: string };
