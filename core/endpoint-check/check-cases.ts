// The cases of the endpoint check, as docs/endpoint-check.md defines them: what is sent, and what the responses show.
import type { CheckCaseId, CheckFinding, HeaderList } from '@rainbell/contract/app-rpc';
import { type CheckEvent, type CheckEvents, type SignOptions, unknownSecret } from './check-events.ts';
import type { SendPace } from '../callbacks/send-request.ts';
import type { CheckReply } from './check-sender.ts';
import { type HandlerCause, isAccepted, problemOf, retriedStatuses, seenOf } from './handler-problems.ts';

export type CaseTools = {
  events: CheckEvents;
  /** Sends one request, signed so or with these headers; the exchange is in the report. */
  send: (sent: string, event: CheckEvent, signing?: SignOptions | HeaderList, pace?: SendPace) => Promise<CheckReply>;
};

type CheckCase = {
  /** Requests that it sends, at most. */
  requests: number;
  run: (tools: CaseTools) => Promise<CheckFinding[]>;
};

const megabyte = 1024 * 1024;

export const checkCases: Readonly<Record<CheckCaseId, CheckCase>> = {
  'same-id-twice': {
    requests: 2,
    async run({ events, send }) {
      const event = events.create();
      const first = await send('A valid event', event);
      const second = await send('The same event again', event);
      return [
        accepted('The event is accepted', first),
        accepted('A second delivery of the event is accepted', second, 'duplicate'),
        notVisible(
          'The event is processed once',
          `Check your system: it must have processed this ${idName(events)} only once.`,
        ),
      ];
    },
  },
  'out-of-order': {
    requests: 2,
    async run({ events, send }) {
      const [earlier, later] = [events.create(), events.create()];
      // Within the tolerance, so it must not be refused for its age.
      const earlierSeconds = -Math.min(90, Math.floor((events.tolerance ?? 300) / 2));
      const second = await send('The later event', later);
      const first = await send(`The earlier event, signed ${-earlierSeconds} s before the later one`, earlier, {
        shiftSeconds: earlierSeconds,
      });
      return [
        accepted('The later event is accepted', second),
        accepted('The earlier event is accepted after the later one', first, 'order'),
        notVisible('The later state is kept', 'Check whether the earlier event replaced what the later one wrote.'),
      ];
    },
  },
  'wrong-signature': {
    requests: 2,
    async run({ events, send }) {
      const [valid, forged] = [events.create(), events.create()];
      return [
        accepted('A valid event is accepted', await send('A valid event', valid)),
        refused(
          'An event signed with another secret is refused',
          await send('An event signed with another secret', forged, { secrets: [unknownSecret()] }),
          'any-signature',
        ),
      ];
    },
  },
  'missing-signature': {
    requests: 3,
    async run({ events, send }) {
      const [valid, unsigned, bare] = [events.create(), events.create(), events.create()];
      const bareHeaders = events.unsigned(bare).filter(([name]) => /^(content-type|user-agent)$/i.test(name));
      const { sender, signatureHeader } = events;
      const ofSender = sender === null ? 'webhook-* headers' : `of ${sender}’s headers`;
      return [
        accepted('A valid event is accepted', await send('A valid event', valid)),
        refused(
          `An event without ${signatureHeader} is refused`,
          await send(`An event without ${signatureHeader}`, unsigned, events.unsigned(unsigned)),
          'missing-signature',
          'error-on-missing-headers',
        ),
        refused(
          `An event without any ${ofSender} is refused`,
          await send(`An event without any ${ofSender}`, bare, bareHeaders),
          'missing-signature',
          'error-on-missing-headers',
        ),
      ];
    },
  },
  'old-signature': {
    requests: 2,
    async run({ events, send }) {
      const { tolerance, sender } = events;
      if (tolerance === null)
        return [unusable('An old event is refused', `${sender}’s signatures don’t limit an event’s age.`)];
      // Older than the tolerance, so it must be refused.
      const oldSeconds = -2 * tolerance;
      const [valid, old] = [events.create(), events.create()];
      return [
        accepted('A valid event is accepted', await send('A valid event', valid)),
        refused(
          `An event signed ${-oldSeconds / 60} minutes ago is refused`,
          await send(`An event signed ${-oldSeconds / 60} minutes ago`, old, { shiftSeconds: oldSeconds }),
          'no-age',
        ),
      ];
    },
  },
  'rotated-secret': {
    requests: 2,
    async run({ events, send }) {
      if (!events.canRotate)
        return [
          unusable('An event signed with two secrets is accepted', `${events.sender} sends one signature per event.`),
        ];
      const [one, other] = [events.create(), events.create()];
      const foreign = unknownSecret();
      const second = await send('An event signed with a new secret and then with this one', one, {
        secrets: [foreign, events.secret],
      });
      const first = await send('An event signed with this secret and then with a new one', other, {
        secrets: [events.secret, foreign],
      });
      const cause = isAccepted(first) ? 'first-signature-only' : 'whole-header';
      return [
        accepted('An event whose second signature is valid is accepted', second, cause),
        accepted('An event whose first signature is valid is accepted', first, cause),
      ];
    },
  },
  slow: {
    requests: 1,
    async run({ events, send }) {
      const event = events.create();
      const reply = await send('A valid event whose body arrives in pieces', event, {}, 'slow');
      const what = 'An event that arrives slowly is accepted in time';
      return [
        reply.isEarly && isAccepted(reply) ? failed(what, reply, 'before-body') : accepted(what, reply, 'slow-body'),
      ];
    },
  },
  gone: {
    requests: 2,
    async run({ events, send }) {
      const event = events.create();
      const unknown = events.create({ monitorId: 'precipitation_999999999' });
      if (events.sender !== null) {
        const odd = events.create({ more: { type: 'rainbell.unknown' } });
        const sent = 'A valid event of an unknown type';
        return [settled(`${sent} gets a final response`, await send(sent, odd), 'unknown-type')];
      }
      return [
        accepted('An event for the known monitor is accepted', await send('A valid event', event)),
        settled(
          'An event for an unknown monitor gets a final response',
          await send('A valid event for a monitor that does not exist', unknown),
          'unknown-monitor',
        ),
      ];
    },
  },
  'one-megabyte': {
    requests: 1,
    async run({ events, send }) {
      const length = Buffer.byteLength(events.create({ more: { padding: '' } }).body);
      const event = events.create({ more: { padding: 'x'.repeat(megabyte - length) } });
      const attempt = await send('A valid 1 MB event', event);
      const what = 'A 1 MB event is accepted, or refused with 413';
      if (attempt.status === 413) return [{ what, result: 'passed', detail: 'Responded with 413.' }];
      return [accepted(what, attempt, 'large-body')];
    },
  },
  retry: {
    requests: 2,
    async run({ events, send }) {
      const event = events.create();
      await send('A valid event, cut off in the middle of its body', event, {}, 'broken-off');
      const again = await send('The same event, in full', event);
      return [
        accepted('The retry of a failed attempt is accepted', again, 'retry'),
        notVisible(
          'The retry is processed',
          `Check your system: it must have processed this ${idName(events)} exactly once.`,
        ),
      ];
    },
  },
  'unknown-field': {
    requests: 1,
    async run({ events, send }) {
      const more = { rainbell_check: { list: [1, null, true], nothing: null, number: 1.5e-7 }, new_flag: false };
      const event = events.create({ more });
      return [
        accepted(
          'An event with unknown fields is accepted',
          await send('A valid event with unknown fields', event),
          'unknown-field',
        ),
      ];
    },
  },
  'interim-responses': {
    requests: 1,
    async run({ events, send }) {
      const event = events.create();
      const attempt = await send('A valid event with Expect: 100-continue', event, {}, 'expect-continue');
      const seen = attempt.interim.length === 0 ? 'no interim response' : `interim ${attempt.interim.join(', ')}`;
      const finding = accepted('An event with Expect: 100-continue gets its final response', attempt, 'expect');
      return [{ ...finding, detail: `${finding.detail} (${seen})` }];
    },
  },
};

/** `cause`: what the handler does if not; exported for what the cases don't show. */
export function accepted(what: string, reply: CheckReply, cause: HandlerCause = 'valid-refused'): CheckFinding {
  return isAccepted(reply) ? passed(what, reply) : failed(what, reply, cause);
}

/** `cause`: what the handler does if it accepts the event. */
function refused(
  what: string,
  reply: CheckReply,
  cause: HandlerCause,
  otherwise: HandlerCause = 'error-on-bad-signature',
): CheckFinding {
  if (isAccepted(reply)) return failed(what, reply, cause);
  return isFinal(reply) && reply.status !== 410 ? passed(what, reply) : failed(what, reply, otherwise);
}

/** What ends an event: it is not sent again. */
function settled(what: string, reply: CheckReply, cause: HandlerCause): CheckFinding {
  return isAccepted(reply) || isFinal(reply) ? passed(what, reply) : failed(what, reply, cause);
}

function isFinal({ status }: CheckReply): boolean {
  return status !== null && status >= 400 && status <= 499 && !retriedStatuses.has(status);
}

function passed(what: string, reply: CheckReply): CheckFinding {
  return { what, result: 'passed', detail: formatReply(reply) };
}

function failed(what: string, reply: CheckReply, cause: HandlerCause): CheckFinding {
  const problem = problemOf(reply.status === 429 ? 'rate-limit' : cause, seenOf(reply));
  return { what, result: 'failed', detail: `${formatReply(reply)} ${problem.should}`, problem };
}

function notVisible(what: string, detail: string): CheckFinding {
  return { what, result: 'not-visible', detail: `This can’t be verified over HTTP. ${detail}` };
}

/** The sender's scheme has nothing to check here. */
function unusable(what: string, detail: string): CheckFinding {
  return { what, result: 'not-visible', detail };
}

function idName({ sender }: CheckEvents): string {
  return sender === null ? 'webhook-id' : 'event';
}

function formatReply({ status, problem, tookMs }: CheckReply): string {
  if (status !== null) return `Responded with ${status} after ${tookMs} ms.`;
  return problem === null ? 'No response.' : `No response: ${problem}.`;
}
