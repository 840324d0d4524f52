// Sends the response to a stored callback, and records what became of it: sent whole, or ended by the sender, a rule, or the
// receiver before that.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type HeldRequest, type HeldResponse, maxHeld } from '@rainbell/contract/app-rpc';
import { type Clock, formatInstant } from '@rainbell/shared';
import {
  hasBody,
  headBytes,
  headersOf,
  receivedResponse,
  type RecordedKind,
  type RecordedOutcome,
  type ResponsePlanned,
  textHeaders,
} from './response-outcome.ts';

export type StoredRequest = {
  request: IncomingMessage;
  response: ServerResponse;
  callbackId: number;
  receivedAt: number;
};

export type ResponseRecorder = ReturnType<typeof createResponseRecorder>;

type ResponseRecorderDependencies = {
  clock: Clock;
  record: (outcome: RecordedOutcome) => void;
  /** Whether the receiver itself ended this connection. */
  isDropped: (socket: Socket) => boolean;
  onHeld: () => void;
};

type Held = { request: HeldRequest; planned: ResponsePlanned; replace: (planned: ResponsePlanned) => void };

const maxTargetLength = 500;

export function createResponseRecorder(dependencies: ResponseRecorderDependencies) {
  const { clock, record, isDropped, onHeld } = dependencies;
  const headOf = createHeadCache();
  const open = new Set<() => void>();
  const held = new Map<number, Held>();
  const release = (callbackId: number) => {
    if (held.delete(callbackId)) onHeld();
  };
  return {
    /** Those that are held, oldest first. */
    held: (): HeldRequest[] => [...held.values()].map(({ request }) => request),
    /** Sends the user's response; false if the request is no longer held. */
    respondToHeld(callbackId: number, { status, headers, body }: HeldResponse): boolean {
      const one = held.get(callbackId);
      if (!one) return false;
      const { rule, step } = one.planned;
      one.replace({ ...receivedResponse, status, headers, body, rule, step, isByHand: true, isUnplanned: true });
      return true;
    },
    /** Records the unfinished ones as they are. Node reports a closed server before its closed connections. */
    endAll() {
      for (const finish of open) finish();
    },
    respond(stored: StoredRequest, wanted: ResponsePlanned, mustClose: boolean = false) {
      const { request, response, callbackId, receivedAt } = stored;
      let planned = wanted;
      if (wanted.isHeld && held.size >= maxHeld) planned = { ...tooManyHeldResponse(wanted), isUnplanned: true };
      const { socket } = request;
      let startedAt: number | null = null;
      let isKeptAlive = false;
      let isAborted = false;
      let isRecorded = false;
      let size = 0;
      /** Null if an earlier response of a pipelining sender is still being sent. */
      let writtenBefore: number | null = null;
      let cancelTimer: (() => void) | undefined;

      const leave = () => void socket.destroy();

      function act(): void {
        startedAt = clock.now();
        release(callbackId);
        if (planned.action !== 'answer') {
          isAborted = true;
          if (planned.action === 'close') socket.end();
          else socket.resetAndDestroy();
          return;
        }
        isKeptAlive = response.shouldKeepAlive && !mustClose;
        const head = headOf(planned, startedAt, isKeptAlive);
        size = head.size;
        writtenBefore = response.socket ? socket.bytesWritten : null;
        response.writeHead(planned.status ?? 200, head.flat);
        // node:http leaves a body out if the method or the status has none.
        response.end(planned.body);
      }

      function sentBytes(kind: RecordedKind): number | null {
        if (startedAt === null || isAborted) return 0;
        if (kind === 'answered')
          return size + (hasBody(planned.status) && request.method !== 'HEAD' ? Buffer.byteLength(planned.body) : 0);
        return writtenBefore === null ? null : Math.max(0, socket.bytesWritten - writtenBefore);
      }

      function finish(): void {
        if (isRecorded) return;
        isRecorded = true;
        open.delete(finish);
        socket.off('end', leave);
        socket.off('close', finish);
        release(callbackId);
        cancelTimer?.();
        const kind = kindOf(socket, isAborted, response.writableFinished, isDropped);
        record({
          callbackId,
          kind,
          planned,
          startedAfterMs: startedAt === null || isAborted ? null : startedAt - receivedAt,
          endedAfterMs: clock.now() - receivedAt,
          bytesSent: sentBytes(kind),
          isKeptAlive,
        });
      }

      if (socket.destroyed) return finish();
      if (planned.delayMs > 0) {
        open.add(finish);
        // Most that end their side while they wait are gone.
        socket.once('end', leave);
        if (socket.readableEnded) leave();
      }
      response.once('close', finish);
      // Node emits it for the response that has the socket only.
      if (!response.socket) socket.once('close', finish);
      if (planned.delayMs === 0) act();
      else cancelTimer = clock.after(planned.delayMs, act);
      if (!planned.isHeld) return;
      held.set(callbackId, {
        request: {
          callbackId,
          receivedAt: formatInstant(receivedAt),
          until: formatInstant(clock.now() + planned.delayMs),
          method: request.method ?? '',
          target: (request.url ?? '').slice(0, maxTargetLength),
          rule: planned.rule ?? '',
        },
        planned,
        replace(next) {
          cancelTimer?.();
          planned = next;
          act();
        },
      });
      onHeld();
    },
  };
}

/** For a request that would be held if fewer were. */
function tooManyHeldResponse({ rule, step }: ResponsePlanned): ResponsePlanned {
  const body = `The receiver is already holding ${maxHeld} requests. Try again later.\n`;
  const headers = [...textHeaders, ['retry-after', '30'] as const];
  return { ...receivedResponse, status: 503, headers, body, rule, step };
}

function kindOf(
  socket: Socket,
  isAborted: boolean,
  isFinished: boolean,
  isDropped: (socket: Socket) => boolean,
): RecordedKind {
  if (isAborted) return 'aborted';
  if (isFinished) return 'answered';
  if (isDropped(socket)) return 'dropped';
  const code = socket.errored && 'code' in socket.errored ? socket.errored.code : undefined;
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'reset';
  return socket.readableEnded ? 'closed' : 'dropped';
}

type Head = { flat: string[]; size: number };

/** Most responses of one second have the same head. */
function createHeadCache(): (planned: ResponsePlanned, startedAt: number, isKeptAlive: boolean) => Head {
  let last: (Head & { planned: ResponsePlanned; second: number; isKeptAlive: boolean }) | undefined;
  return (planned, startedAt, isKeptAlive) => {
    const second = Math.floor(startedAt / 1000);
    if (last?.planned === planned && last.second === second && last.isKeptAlive === isKeptAlive) return last;
    const flat = headersOf(planned, startedAt, isKeptAlive).flat();
    const status = planned.status ?? 200;
    last = { flat, size: headBytes(status, flat), planned, second, isKeptAlive };
    return last;
  };
}
