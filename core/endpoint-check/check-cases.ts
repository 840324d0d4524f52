// The cases of the endpoint check, as docs/endpoint-check.md defines them: what is sent, and what the responses show.
import type { CheckAttempt, CheckCaseId, CheckFinding, HeaderList } from '@rainbell/contract/app-rpc';
import { type CheckEvent, type CheckEvents, unknownSecret } from './check-events.ts';
import type { CheckPace } from './check-sender.ts';

export type CaseTools = {
  events: CheckEvents;
  /** Sends one request; the exchange is in the report. `event.body` is the body. */
  send: (sent: string, event: CheckEvent, headers: HeaderList, pace?: CheckPace) => Promise<CheckAttempt>;
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
      const first = await send('A valid event', event, events.sign(event));
      const second = await send('The same event again', event, events.sign(event));
      return [
        accepted('The event is accepted', first),
        accepted(
          'A second delivery of the event is accepted',
          second,
          'Respond with 2xx to an event that you already have; otherwise it will be sent again.',
        ),
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
      const second = await send('The later event', later, events.sign(later));
      const first = await send(
        `The earlier event, signed ${-earlierSeconds} s before the later one`,
        earlier,
        events.sign(earlier, { shiftSeconds: earlierSeconds }),
      );
      return [
        accepted('The later event is accepted', second),
        accepted(
          'The earlier event is accepted after the later one',
          first,
          'Order is not guaranteed. Refuse only timestamps that are more than 5 minutes off.',
        ),
        notVisible('The later state is kept', 'Check whether the earlier event replaced what the later one wrote.'),
      ];
    },
  },
  'wrong-signature': {
    requests: 2,
    async run({ events, send }) {
      const [valid, forged] = [events.create(), events.create()];
      return [
        accepted('A valid event is accepted', await send('A valid event', valid, events.sign(valid))),
        refused(
          'An event signed with another secret is refused',
          await send(
            'An event signed with another secret',
            forged,
            events.sign(forged, { secrets: [unknownSecret()] }),
          ),
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
        accepted('A valid event is accepted', await send('A valid event', valid, events.sign(valid))),
        refused(
          `An event without ${signatureHeader} is refused`,
          await send(`An event without ${signatureHeader}`, unsigned, events.unsigned(unsigned)),
        ),
        refused(
          `An event without any ${ofSender} is refused`,
          await send(`An event without any ${ofSender}`, bare, bareHeaders),
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
        accepted('A valid event is accepted', await send('A valid event', valid, events.sign(valid))),
        refused(
          `An event signed ${-oldSeconds / 60} minutes ago is refused`,
          await send(
            `An event signed ${-oldSeconds / 60} minutes ago`,
            old,
            events.sign(old, { shiftSeconds: oldSeconds }),
          ),
          `Compare ${sender === null ? 'webhook-timestamp' : 'the signature’s time'} with your clock and refuse old events; otherwise, a recorded request can be replayed at any time.`,
        ),
      ];
    },
  },
  'rotated-secret': {
    requests: 2,
    async run({ events, send }) {
      const { sender, signatureHeader } = events;
      if (!events.canRotate)
        return [unusable('An event signed with two secrets is accepted', `${sender} sends one signature per event.`)];
      const [one, other] = [events.create(), events.create()];
      const hint = `During a rotation, ${signatureHeader} contains one entry per secret${sender === null ? ', separated by spaces' : ''}. Accept the event if any entry matches.`;
      const foreign = unknownSecret();
      return [
        accepted(
          'An event whose second signature is valid is accepted',
          await send(
            'An event signed with a new secret and then with this one',
            one,
            events.sign(one, { secrets: [foreign, events.secret] }),
          ),
          hint,
        ),
        accepted(
          'An event whose first signature is valid is accepted',
          await send(
            'An event signed with this secret and then with a new one',
            other,
            events.sign(other, { secrets: [events.secret, foreign] }),
          ),
          hint,
        ),
      ];
    },
  },
  slow: {
    requests: 1,
    async run({ events, send }) {
      const event = events.create();
      const attempt = await send('A valid event whose body arrives in pieces', event, events.sign(event), 'slow');
      return [
        accepted(
          'An event that arrives slowly is accepted in time',
          attempt,
          'Read the whole body before you check it, and respond before you start any lengthy processing.',
        ),
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
        return [settled(`${sent} gets a final response`, await send(sent, odd, events.sign(odd)), events.sender)];
      }
      return [
        accepted(
          'An event for the known monitor is accepted',
          await send('A valid event', event, events.sign(event)),
          'A 410 would end delivery for this monitor.',
        ),
        settled(
          'An event for an unknown monitor gets a final response',
          await send('A valid event for a monitor that does not exist', unknown, events.sign(unknown)),
        ),
      ];
    },
  },
  'one-megabyte': {
    requests: 1,
    async run({ events, send }) {
      const length = Buffer.byteLength(events.create({ more: { padding: '' } }).body);
      const event = events.create({ more: { padding: 'x'.repeat(megabyte - length) } });
      const attempt = await send('A valid 1 MB event', event, events.sign(event));
      const what = 'A 1 MB event is accepted, or refused with 413';
      if (attempt.status === 413) return [{ what, result: 'passed', detail: 'Responded with 413.' }];
      return [accepted(what, attempt, 'Read the whole body, even if it arrives in many pieces, or respond with 413.')];
    },
  },
  retry: {
    requests: 2,
    async run({ events, send }) {
      const event = events.create();
      await send('A valid event, cut off in the middle of its body', event, events.sign(event), 'broken-off');
      const again = await send('The same event, in full', event, events.sign(event));
      return [
        accepted(
          'The retry of a failed attempt is accepted',
          again,
          'Store an event’s ID only after its event has been processed.',
        ),
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
      const more = { rainbell_check: { list: [1, null, true, 'é'], nothing: null, number: 1.5e-7 }, new_flag: false };
      const event = events.create({ more });
      return [
        accepted(
          'An event with unknown fields is accepted',
          await send('A valid event with unknown fields', event, events.sign(event)),
          'Ignore unknown fields; services may add more over time.',
        ),
      ];
    },
  },
  'interim-responses': {
    requests: 1,
    async run({ events, send }) {
      const event = events.create();
      const attempt = await send(
        'A valid event with Expect: 100-continue',
        event,
        events.sign(event),
        'expect-continue',
      );
      const seen = attempt.interim.length === 0 ? 'no interim response' : `interim ${attempt.interim.join(', ')}`;
      const finding = accepted(
        'An event with Expect: 100-continue gets its final response',
        attempt,
        'Respond with 100 or ignore the header, and then send a final response.',
      );
      return [{ ...finding, detail: `${finding.detail} (${seen})` }];
    },
  },
};

/** Sent again by the service (docs/delivery.md). */
const retriedStatuses = new Set([408, 425, 429]);

function accepted(what: string, attempt: CheckAttempt, hint = 'Respond to a valid event with 2xx.'): CheckFinding {
  const { status } = attempt;
  if (status !== null && status >= 200 && status <= 299)
    return { what, result: 'passed', detail: formatAttempt(attempt) };
  return { what, result: 'failed', detail: `${formatAttempt(attempt)} ${hint}` };
}

function refused(
  what: string,
  attempt: CheckAttempt,
  hint = 'Check the signature before anything else.',
): CheckFinding {
  const { status } = attempt;
  const seen = formatAttempt(attempt);
  if (status === null) return { what, result: 'failed', detail: `${seen} Refuse the event with 400, 401, or 403.` };
  if (status >= 200 && status <= 299) return { what, result: 'failed', detail: `${seen} It was accepted. ${hint}` };
  if (status === 410) {
    const detail = `${seen} 410 ends delivery for a monitor. Refuse the event with 400, 401, or 403.`;
    return { what, result: 'failed', detail };
  }
  if (status < 400 || status > 499 || retriedStatuses.has(status)) {
    return { what, result: 'failed', detail: `${seen} Refuse the event with 400, 401, or 403.` };
  }
  return { what, result: 'passed', detail: seen };
}

/** What ends an event: the service does not send it again. */
function settled(what: string, attempt: CheckAttempt, sender: string | null = null): CheckFinding {
  const { status } = attempt;
  const seen = formatAttempt(attempt);
  const hint =
    sender === null
      ? 'Respond with 2xx to ignore the event, or with 410 to end delivery for that monitor.'
      : 'Respond with 2xx to ignore the event.';
  const retrying =
    sender === null ? 'The service retries the event for up to an hour.' : `${sender} may retry the event.`;
  if (status === null || status < 200 || status >= 500 || retriedStatuses.has(status)) {
    return { what, result: 'failed', detail: `${seen} ${retrying} ${hint}` };
  }
  if (status >= 300 && status <= 399) {
    return { what, result: 'failed', detail: `${seen} Redirects are not followed. ${hint}` };
  }
  return { what, result: 'passed', detail: seen };
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

function formatAttempt({ status, problem, tookMs }: CheckAttempt): string {
  if (status !== null) return `Responded with ${status} after ${tookMs} ms.`;
  return problem === null ? 'No response.' : `No response: ${problem}.`;
}
