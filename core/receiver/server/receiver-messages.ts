// The messages between the app's thread and the receiver's thread.
import type { Endpoint, HeldRequest, HeldResponse, ReceiverRules } from '@rainbell/contract/app-rpc';
import type { FeedProgress, ReceivedCallback } from '../requests/received-callback.ts';
import type { ListenAccess } from '../access/listen-access.ts';
import type { ReceiverLimits } from '../access/receiver-limits.ts';

export type ReceiverWorkerData = {
  file: string;
  limits: ReceiverLimits;
  rules: ReceiverRules;
  endpoints: readonly ReceiverEndpoint[];
};

export type ReceiverEndpoint = Endpoint & { secrets?: readonly string[] };

export type ToReceiver =
  /** Listens on the port or the next free one, in place of the current one. */
  | { kind: 'listen'; call: number; port: number; access: ListenAccess }
  /** To exactly this port; where it is taken all stays as it is, and the answer names a free one. */
  | { kind: 'move'; call: number; port: number }
  | { kind: 'rules'; call: number; rules: ReceiverRules }
  /** Answers a held request; the answer names whether it was still held. */
  | { kind: 'answer-held'; call: number; callbackId: number; response: HeldResponse }
  | { kind: 'limits'; call: number; limits: ReceiverLimits }
  | { kind: 'endpoints'; call: number; endpoints: readonly ReceiverEndpoint[] }
  /** The store is damaged: nothing is stored or deleted from now on. */
  | { kind: 'stop-storing'; call: number }
  | { kind: 'clear'; call: number }
  | { kind: 'remove'; call: number; ids: readonly number[] }
  /** Callbacks from a file, in one transaction. */
  | { kind: 'store'; call: number; callbacks: readonly ReceivedCallback[] }
  /** A page of the feed, in one transaction. */
  | { kind: 'store-feed'; call: number; callbacks: readonly ReceivedCallback[]; progress: FeedProgress }
  | { kind: 'close'; call: number };

export type FromReceiver =
  /** The answer to one call; `port` after `listen` and `move`: the one it got, or the free one to suggest. */
  | { kind: 'done'; call: number; port?: number; wasHeld?: boolean }
  | { kind: 'failed'; call: number; message: string }
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
