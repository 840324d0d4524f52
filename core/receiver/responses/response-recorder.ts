// Sends the response to a stored callback, and records what became of it: sent whole, or ended by the sender, a rule, or the
// receiver before that.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type HeldRequest, type HeldResponse, maxHeld } from '@rainbell/contract/app-rpc';
import { type Clock, formatInstant, systemCode } from '@rainbell/shared';
import {
  hasBody,
  headBytes,
  headersOf,
  receivedResponse,
  type RecordedKind,
  type RecordedOutcome,
  type ResponsePlanned,
  sentenceResponse,
} from './response-outcome.ts';

export type ResponseRecorder = ReturnType<typeof createResponseRecorder>;

type ResponseRecorderDependencies = {
  clock: Clock;
  record: (outcome: RecordedOutcome) => void;
  /** Gets all that are held, oldest first. */
  onHeld: (held: readonly HeldRequest[]) => void;
  /** Ends each response that is not recorded yet, as it is. */
  unfinished: Set<() => void>;
  /** Whether the receiver ends all connections. */
  isClosing: () => boolean;
};

type Held = { request: HeldRequest; respond: (response: HeldResponse) => void };

const maxTargetLength = 500;

export function createResponseRecorder(dependencies: ResponseRecorderDependencies) {
  const { clock, record, onHeld, unfinished, isClosing } = dependencies;
  const headOf = createHeadCache();
  const held = new Map<number, Held>();
  const reportHeld = () => onHeld([...held.values()].map(({ request }) => request));
  return {
    /** Sends the user's response; false if the request is no longer held. */
    respondToHeld(callbackId: number, response: HeldResponse): boolean {
      const one = held.get(callbackId);
      one?.respond(response);
      return one !== undefined;
    },
    /** Responds to a stored request. */
    respond(
      response: ServerResponse,
      { callbackId, receivedAt }: { callbackId: number; receivedAt: number },
      wanted: ResponsePlanned,
      mustClose: boolean,
    ) {
      const { req: request } = response;
      const { socket } = request;
      /** Behind an earlier response, so Node emits no `close` for it. */
      const isQueued = !response.socket;
      let planned = wanted.isHeld && held.size >= maxHeld ? tooManyHeldResponse(wanted) : wanted;
      /** Null if no response was started. */
      let startedAt: number | null = null;
      let isKeptAlive = false;
      let isAborted = false;
      let size = 0;
      /** Null if an earlier response of a pipelining sender is still being sent. */
      let writtenBefore: number | null = null;
      let stopWaiting = () => {};

      const leave = () => void socket.destroy();
      const release = () => {
        if (held.delete(callbackId)) reportHeld();
      };

      function act(): void {
        release();
        if (planned.action !== 'answer') {
          isAborted = true;
          // A socket that ends can't be reset.
          if (planned.action === 'close' || socket.writableEnded) socket.end();
          else socket.resetAndDestroy();
          return;
        }
        startedAt = clock.now();
        isKeptAlive = response.shouldKeepAlive && !mustClose;
        const head = headOf(planned, startedAt, isKeptAlive);
        size = head.size;
        writtenBefore = response.socket ? socket.bytesWritten : null;
        response.writeHead(planned.status ?? 200, head.flat);
        // node:http leaves a body out if the method or the status has none.
        response.end(planned.body);
      }

      function sentBytes(kind: RecordedKind): number | null {
        if (startedAt === null) return 0;
        if (kind === 'answered')
          return size + (hasBody(planned.status) && request.method !== 'HEAD' ? Buffer.byteLength(planned.body) : 0);
        return writtenBefore === null ? null : Math.max(0, socket.bytesWritten - writtenBefore);
      }

      function finish(): void {
        if (!unfinished.delete(finish)) return;
        if (isQueued) socket.off('close', finish);
        release();
        stopWaiting();
        const kind = isAborted ? 'aborted' : response.writableFinished ? 'answered' : causeOf(socket, isClosing());
        record({
          callbackId,
          kind,
          planned,
          startedAfterMs: startedAt === null ? null : startedAt - receivedAt,
          endedAfterMs: clock.now() - receivedAt,
          bytesSent: sentBytes(kind),
          isKeptAlive,
        });
      }

      unfinished.add(finish);
      if (socket.destroyed) return finish();
      response.on('close', finish);
      if (isQueued) socket.once('close', finish);
      if (planned.delayMs === 0) return act();
      // Most that end their side while they wait are gone.
      socket.once('end', leave);
      if (socket.readableEnded) leave();
      const cancelTimer = clock.after(planned.delayMs, act);
      stopWaiting = () => {
        cancelTimer();
        socket.off('end', leave);
      };
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
        respond({ status, headers, body }) {
          const { rule, step } = planned;
          cancelTimer();
          planned = { ...receivedResponse, status, headers, body, rule, step, isByHand: true, isUnplanned: true };
          act();
        },
      });
      reportHeld();
    },
  };
}

/** For a request that would be held if fewer were. */
function tooManyHeldResponse({ rule, step }: ResponsePlanned): ResponsePlanned {
  const planned = sentenceResponse(503, `The receiver is already holding ${maxHeld} requests. Try again later.`);
  return { ...planned, headers: [...planned.headers, ['retry-after', '30']], rule, step, isUnplanned: true };
}

/** Who ended the connection of a response that was not sent whole. */
function causeOf(socket: Socket, isClosing: boolean): RecordedKind {
  if (isClosing) return 'dropped';
  const code = systemCode(socket.errored);
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
