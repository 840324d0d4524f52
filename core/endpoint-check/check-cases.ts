// The cases of the endpoint check, as docs/endpoint-check.md defines them: what is sent, and what the responses show.
import {
  type CheckAttempt,
  type CheckCaseId,
  checkCaseTitles,
  type CheckedCase,
  type CheckFinding,
} from '@rainbell/contract/app-rpc';
import type { SendPace } from '../http/send-request.ts';
import type { SenderRequest } from '../senders/sender-request.ts';
import { type CheckEvents, type CheckTarget, createCheckEvents, unknownSecret } from './check-events.ts';
import type { CheckReply, CheckSender } from './check-sender.ts';
import { type HandlerCause, isAccepted, problemOf, retriedStatuses, seenOf } from './handler-problems.ts';

export type CheckOptions = CheckTarget & { send: CheckSender['send'] };

/** Runs one case. Throws AppFailure INVALID_INPUT for a URL or a secret that can't be used. */
export async function runCase(id: CheckCaseId, { send, ...target }: CheckOptions): Promise<CheckedCase> {
  const exchanges: CheckAttempt[] = [];
  const startedAt = target.clock.elapsed();
  const findings = await cases[id](createCheckEvents(target), async (sent, request, pace = 'whole') => {
    const reply = await send(target.url, { ...request, sent, pace });
    const { headers: _, isEarly: _early, ...attempt } = reply;
    exchanges.push(attempt);
    return reply;
  });
  const tookMs = target.clock.elapsed() - startedAt;
  const results = findings.map(({ result }) => result);
  const result = (['failed', 'passed'] as const).find((one) => results.includes(one)) ?? 'not-visible';
  return { case: id, title: checkCaseTitles[id], result, tookMs, findings, exchanges };
}

/** The exchange is in the report. `sent`: what it is, as the start of a sentence. */
type Send = (sent: string, request: SenderRequest, pace?: SendPace) => Promise<CheckReply>;

const megabyte = 1024 * 1024;

const cases: Readonly<Record<CheckCaseId, (events: CheckEvents, send: Send) => Promise<CheckFinding[]>>> = {
  async 'same-id-twice'({ create, sign }, send) {
    const event = create();
    return [
      accepted(await send('A valid event', sign(event))),
      accepted(await send('The same event again', sign(event)), 'duplicate'),
      notVisible('The event is processed once', 'Check your system: it must have processed this event only once.'),
    ];
  },
  async 'out-of-order'({ create, sign, tolerance }, send) {
    const [earlier, later] = [create(), create()];
    // Within the tolerance, so it must not be refused for its age.
    const earlierSeconds = Math.min(90, Math.floor((tolerance ?? 300) / 2));
    const signed = sign(earlier, { shiftSeconds: -earlierSeconds });
    return [
      accepted(await send('The later event', sign(later))),
      accepted(await send(`An event signed ${earlierSeconds} s before the later one`, signed), 'order'),
      notVisible('The later state is kept', 'Check whether the earlier event replaced what the later one wrote.'),
    ];
  },
  async 'wrong-signature'({ create, sign }, send) {
    const forged = sign(create(), { secrets: [unknownSecret()] });
    return [
      accepted(await send('A valid event', sign(create()))),
      refused(await send('An event signed with another secret', forged), 'any-signature'),
    ];
  },
  async 'missing-signature'({ create, sign, sender, signatureHeader }, send) {
    const bare = create();
    const headers = bare.headers.filter(([name]) => /^(content-type|user-agent)$/i.test(name));
    const ofSender = sender === null ? 'webhook-* headers' : `of ${sender}’s headers`;
    const otherwise = 'error-on-missing-headers';
    return [
      accepted(await send('A valid event', sign(create()))),
      refused(await send(`An event without ${signatureHeader}`, create()), 'missing-signature', otherwise),
      refused(await send(`An event without any ${ofSender}`, { ...bare, headers }), 'missing-signature', otherwise),
    ];
  },
  async 'old-signature'({ create, sign, sender, tolerance }, send) {
    if (tolerance === null)
      return [unusable('An old event is refused', `${sender}’s signatures don’t limit an event’s age.`)];
    // Older than the tolerance, so it must be refused.
    const oldSeconds = 2 * tolerance;
    const old = sign(create(), { shiftSeconds: -oldSeconds });
    return [
      accepted(await send('A valid event', sign(create()))),
      refused(await send(`An event signed ${oldSeconds / 60} minutes ago`, old), 'no-age'),
    ];
  },
  async 'rotated-secret'({ create, sign, sender, canRotate, secret }, send) {
    if (!canRotate)
      return [unusable('An event signed with two secrets is accepted', `${sender} sends one signature per event.`)];
    const foreign = unknownSecret();
    const newFirst = sign(create(), { secrets: [foreign, secret] });
    const newLast = sign(create(), { secrets: [secret, foreign] });
    const second = await send('An event signed with a new secret and then with this one', newFirst);
    const first = await send('An event signed with this secret and then with a new one', newLast);
    const cause = isAccepted(first) ? 'first-signature-only' : 'whole-header';
    return [accepted(second, cause), accepted(first, cause)];
  },
  async slow({ create, sign }, send) {
    const reply = await send('A valid event whose body arrives in pieces', sign(create()), 'slow');
    const isBeforeBody = reply.isEarly && isAccepted(reply);
    return [isBeforeBody ? failed(`${reply.sent} is read`, reply, 'before-body') : accepted(reply, 'slow-body')];
  },
  async gone({ create, sign, sender }, send) {
    if (sender !== null) {
      const odd = sign(create({ more: { type: 'rainbell.unknown' } }));
      return [settled(await send('A valid event of an unknown type', odd), 'unknown-type')];
    }
    const unknown = sign(create({ monitorId: 'precipitation_999999999' }));
    return [
      accepted(await send('A valid event', sign(create()))),
      settled(await send('A valid event for a monitor that does not exist', unknown), 'unknown-monitor'),
    ];
  },
  async 'one-megabyte'({ create, sign }, send) {
    const { length } = create({ more: { padding: '' } }).body;
    const large = sign(create({ more: { padding: 'x'.repeat(megabyte - length) } }));
    const reply = await send('A valid 1 MB event', large);
    return [reply.status === 413 ? passed(`${reply.sent} is refused with 413`, reply) : accepted(reply, 'large-body')];
  },
  async retry({ create, sign }, send) {
    const event = create();
    await send('A valid event, cut off in the middle of its body', sign(event), 'broken-off');
    return [
      accepted(await send('The same event in full', sign(event)), 'retry'),
      notVisible('The retry is processed', 'Check your system: it must have processed this event exactly once.'),
    ];
  },
  async 'unknown-field'({ create, sign }, send) {
    const more = { rainbell_check: { list: [1, null, true], nothing: null, number: 1.5e-7 }, new_flag: false };
    return [accepted(await send('A valid event with unknown fields', sign(create({ more }))), 'unknown-field')];
  },
  async 'interim-responses'({ create, sign }, send) {
    const reply = await send('A valid event with Expect: 100-continue', sign(create()), 'expect-continue');
    const seen = reply.interim.length === 0 ? 'no interim response' : `interim ${reply.interim.join(', ')}`;
    const finding = accepted(reply, 'expect');
    return [{ ...finding, detail: `${finding.detail} (${seen})` }];
  },
};

/** `cause`: what the handler does if not; exported for what the cases don't show. */
export function accepted(reply: CheckReply, cause: HandlerCause = 'valid-refused'): CheckFinding {
  const what = `${reply.sent} is accepted`;
  return isAccepted(reply) ? passed(what, reply) : failed(what, reply, cause);
}

/** `cause`: what the handler does if it accepts the event. */
function refused(
  reply: CheckReply,
  cause: HandlerCause,
  otherwise: HandlerCause = 'error-on-bad-signature',
): CheckFinding {
  const what = `${reply.sent} is refused`;
  if (isAccepted(reply)) return failed(what, reply, cause);
  return isFinal(reply) && reply.status !== 410 ? passed(what, reply) : failed(what, reply, otherwise);
}

/** What ends an event: it is not sent again. */
function settled(reply: CheckReply, cause: HandlerCause): CheckFinding {
  const what = `${reply.sent} gets a final response`;
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
  return unusable(what, `This can’t be verified over HTTP. ${detail}`);
}

/** The sender's scheme has nothing to check here. */
function unusable(what: string, detail: string): CheckFinding {
  return { what, result: 'not-visible', detail };
}

function formatReply({ status, problem, tookMs }: CheckReply): string {
  if (status !== null) return `Responded with ${status} after ${tookMs} ms.`;
  return problem === null ? 'No response.' : `No response: ${problem}.`;
}
