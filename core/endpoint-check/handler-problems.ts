// The bugs of webhook handlers that can be seen from outside, in the words of a report.
import type { HandlerProblem } from '@rainbell/contract/app-rpc';
import type { CheckReply } from './check-sender.ts';

/** What the handler does, and what it should do, the worst first. `#` stands for what was seen. */
const texts = {
  unreachable: ['#.', 'On this computer, it is checked again when it starts.'],
  slow: ['It takes too long: #.', 'Put the event in a queue and respond at once. The sender waits 15 s at most.'],
  redirect: ['It redirects every event: #.', 'Use the final URL. Senders don’t follow redirects.'],
  'login-redirect': [
    'It redirects every event to a login page: #.',
    'Exempt the webhook’s path from authentication. The signature takes its place.',
  ],
  'not-found': ['Every event gets #.', 'Check the path and method of the URL: the route must take POST.'],
  'always-error': [
    'Every event gets #, signed or not.',
    'Read the handler’s log: it fails before it checks the signature, or at its first error.',
  ],
  'fails-after-check': ['It refuses unsigned events, but a valid event gets #.', 'Read the handler’s log.'],
  'other-secret': [
    'Every valid event gets #, also if it is signed with the usual mistakes.',
    'Check that the handler has this secret, and that nothing before it, such as authentication or CSRF protection, refuses requests.',
  ],
  'valid-refused': ['Some valid events get #.', 'Respond to a valid event with 2xx, even if its body repeats an ID.'],
  'rate-limit': [
    'Some valid events get #.',
    'Take every event and respond with 2xx. Limit the rate of the work, not of the requests.',
  ],
  'before-body': ['It responds before it has read the body.', 'Read the whole body, verify it, and then respond.'],
  'html-page': [
    'It responds to everything with an HTML page.',
    'The URL leads to a login page or the front end of an app. Use the handler’s path.',
  ],
  'no-check': [
    'It accepts unsigned events.',
    'Verify the signature before anything else, and respond with 401 if it is missing or wrong.',
  ],
  'any-signature': [
    'It accepts any signature.',
    'Compare the signature with the one that you compute, in constant time, and respond with 401 if it differs.',
  ],
  'partial-signature': [
    'It compares only the start of the signature.',
    'Compare the whole signature, in constant time, with a function of your library.',
  ],
  'missing-signature': ['It accepts an event without the signature’s header.', 'Refuse an event without it.'],
  'error-on-bad-signature': [
    'A wrong signature gets #.',
    'Respond with 401. The sender repeats an event that gets 5xx or 429, and sends no more after 410.',
  ],
  'error-on-missing-headers': [
    'An event without the signature’s headers gets #.',
    'Check that the headers exist, and respond with 401.',
  ],
  'no-age': [
    'It accepts signatures of any age.',
    'Compare the timestamp with your clock, and refuse events that are more than 5 minutes off.',
  ],
  'from-future': [
    'It accepts timestamps that are hours in the future.',
    'Refuse timestamps that are more than 5 minutes off, before or after now. Otherwise, a request can be kept and repeated.',
  ],
  'wide-tolerance': ['It accepts signatures that are too old.', 'Refuse timestamps that are more than 5 minutes off.'],
  'first-signature-only': [
    'It checks only the first signature of the header.',
    'During a rotation, there are several. Accept the event if any of them matches.',
  ],
  'whole-header': [
    'It refuses an event with two signatures.',
    'Split the header into its signatures, and accept the event if any of them matches.',
  ],
  're-serializes': [
    'It verifies JSON that it parsed and wrote again: an event with other white space, number forms, or escapes gets #.',
    'Verify the bytes of the body as received, before you parse them.',
  ],
  charset: [
    'An event with characters other than ASCII gets #.',
    'Verify the bytes of the body, not a text that was decoded from them.',
  ],
  trims: [
    'An event whose body ends with a line break gets #.',
    'Verify the bytes of the body as received, with white space at the end.',
  ],
  'parses-first': [
    'It parses the body before it checks the signature: invalid JSON with a wrong signature gets #.',
    'Verify the raw body first, so that a stranger’s input is never parsed.',
  ],
  duplicate: [
    'The second delivery of an event gets #.',
    'Respond with 2xx to an event that you already have. Otherwise, it is sent again.',
  ],
  order: [
    'An event signed 90 s before the last one gets #.',
    'Order is not guaranteed. Refuse only timestamps that are more than 5 minutes off.',
  ],
  retry: ['The repetition of an event that broke off gets #.', 'Store an ID only after its event has been processed.'],
  'slow-body': ['A body that arrives in pieces gets #.', 'Wait for the whole body before you verify it.'],
  expect: ['Expect: 100-continue gets #.', 'Respond with 100, or ignore the header.'],
  'unknown-field': ['An event with an unknown field gets #.', 'Ignore unknown fields. Senders add more over time.'],
  'unknown-type': ['An event of an unknown type gets #.', 'Respond with 2xx to ignore it.'],
  'unknown-monitor': [
    'An event of an unknown monitor gets #.',
    'Respond with 2xx to ignore it, or with 410 to end its delivery.',
  ],
  'accepts-get': ['A GET without a signature gets #.', 'Accept events only by POST, and respond to GET with 405.'],
  'large-body': ['An event of 1 MB gets #.', 'Read the whole body, even if it is large, or respond with 413.'],
} as const satisfies Record<string, readonly [string, string]>;

export type HandlerCause = keyof typeof texts;

export const handlerCauses = Object.keys(texts);

/** The sender sends the event again (docs/delivery.md). */
export const retriedStatuses = new Set([408, 425, 429]);

export function isAccepted({ status }: CheckReply): boolean {
  return status !== null && status >= 200 && status <= 299;
}

export function seenOf({ status }: CheckReply): string {
  return String(status ?? 'no response');
}

export function problemOf(cause: HandlerCause, seen = ''): HandlerProblem {
  const [does, should] = texts[cause];
  return { cause, does: does.replace('#', () => seen), should };
}
