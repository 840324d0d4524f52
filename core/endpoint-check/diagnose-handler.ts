// Finds the bug of a webhook handler by what it accepts: Rainbell signs, so it can send the usual mistakes on purpose, and the one that the
// handler accepts names its bug. It names only what it has seen.
import { randomBytes } from 'node:crypto';
import {
  type HandlerProblem,
  type HeaderList,
  signatureCauses,
  type SignatureCauseId,
} from '@rainbell/contract/app-rpc';
import { listBodyVariants } from '../senders/body-variants.ts';
import { keyMistakes, listContents } from '../senders/diagnose-sender.ts';
import type { Scheme, SenderProfile } from '../senders/sender-profile.ts';
import { readSenderRequest, type SenderRequest } from '../senders/sender-request.ts';
import {
  encode,
  entryOf,
  sampleRequest,
  type SigningMistake,
  signingScheme,
  signRequest,
} from '../senders/sign-request.ts';
import { standardWebhooks } from '../senders/sender-rows.ts';
import { makeKey } from '../senders/verify-sender.ts';
import { createCheckEvents, unknownSecret } from './check-events.ts';
import type { CheckPace, CheckReply, CheckSender } from './check-sender.ts';
import { exampleFor } from './handler-examples.ts';
import { type HandlerCause, problemOf } from './handler-problems.ts';

export type DiagnoseOptions = {
  send: CheckSender['send'];
  url: string;
  profile: SenderProfile;
  secret: string;
  monitorId: string | null;
  /** The time limit for a response. */
  responseMs: number;
  clock: Parameters<typeof createCheckEvents>[0]['clock'];
};

type Ask = { headers?: HeaderList | undefined; pace?: CheckPace; method?: string };
type SigningChanges = { secret?: string; shiftSeconds?: number };

const maxVariants = 400;
const megabyte = 1024 * 1024;
/** Senders send the event again. */
const retried = [408, 425, 429, 503];

const isAccepted = ({ status }: CheckReply) => status !== null && status >= 200 && status <= 299;
const isRefused = ({ status }: CheckReply) => status !== null && status >= 400 && status <= 499 && status !== 410;
const seenOf = ({ status, problem }: CheckReply) => String(status ?? problem ?? 'no response');

export type HandlerDiagnosis = {
  /** The worst first; empty for a handler without a visible bug. */
  problems: HandlerProblem[];
  acceptsValid: boolean;
  /** A right handler in its language, if its signature check is wrong and its headers reveal the language. */
  example: string | null;
};

/** Throws AppFailure INVALID_INPUT for a URL to which nothing is sent. */
export async function diagnoseHandler(options: DiagnoseOptions): Promise<HandlerDiagnosis> {
  const tools = createTools(options);
  const first = await tools.ask('A valid event', tools.event());
  const problems = isAccepted(first) ? await examine(tools, first) : await explainRefusal(tools, first);
  const isAboutSignature = problems.some(({ cause }) => signatureProblems.has(cause) || cause.startsWith('signature:'));
  return {
    problems,
    acceptsValid: isAccepted(first),
    example: isAboutSignature && options.profile === standardWebhooks ? exampleFor(first.headers) : null,
  };
}

const signatureProblems = new Set<string>([
  'no-check',
  'any-signature',
  'missing-signature',
  're-serializes',
  'charset',
  'parses-first',
  'first-signature-only',
  'whole-header',
  'no-age',
  'wide-tolerance',
] satisfies HandlerCause[]);

type Tools = ReturnType<typeof createTools>;

function createTools({ send, url, profile, secret, monitorId, responseMs, clock }: DiagnoseOptions) {
  const events = createCheckEvents({ url, secret, monitorId, clock });
  const newId = () => `check_${randomBytes(16).toString('hex')}`;
  const isRainbell = profile === standardWebhooks;

  function event(more: Readonly<Record<string, unknown>> = {}, monitor?: string): SenderRequest {
    if (!isRainbell) {
      const sample = sampleRequest(profile, url, newId());
      return {
        ...sample,
        body: Buffer.from(JSON.stringify({ ...(JSON.parse(sample.body.toString()) as object), ...more })),
      };
    }
    const made = events.create({ more, ...(monitor !== undefined && { monitorId: monitor }) });
    return { method: 'POST', url, headers: events.unsigned(made), body: Buffer.from(made.body) };
  }

  function sign(request: SenderRequest, changes: SigningChanges = {}, mistake: SigningMistake = {}): HeaderList {
    const now = clock.now() + (changes.shiftSeconds ?? 0) * 1000;
    return signRequest(profile, request, { secret: changes.secret ?? secret, now }, mistake) ?? request.headers;
  }

  async function ask(sent: string, request: SenderRequest, options: Ask = {}): Promise<CheckReply> {
    const { pace = 'whole', method = 'POST', headers = sign(request) } = options;
    const { body } = request;
    return send(url, { sent, headers, body: method === 'GET' ? Buffer.alloc(0) : body, pace, method });
  }

  return { profile, secret, responseMs, isRainbell, newId, event, sign, ask };
}

/** Why a valid event is refused. */
async function explainRefusal(tools: Tools, first: CheckReply): Promise<HandlerProblem[]> {
  const { status } = first;
  if (status === null) return [problemOf(/within/.test(first.problem ?? '') ? 'slow' : 'unreachable', seenOf(first))];
  if (status >= 300 && status <= 399) {
    const to = String(first.headers['location'] ?? 'no Location');
    return [
      problemOf(/log[-_]?in|sign[-_]?in|auth|session/i.test(to) ? 'login-redirect' : 'redirect', `${status} to ${to}`),
    ];
  }
  if (retried.includes(status)) {
    const again = [
      await tools.ask('Another valid event', tools.event()),
      await tools.ask('A third one', tools.event()),
    ];
    if (again.some(isAccepted)) return [problemOf('rate-limit', seenOf(first))];
  }
  const accepted = await findAccepted(tools);
  if (accepted) return [accepted];
  const unsigned = await tools.ask('An unsigned event', tools.event(), {
    headers: withoutSignature(tools, tools.event()),
  });
  if (status === 404 || status === 405) return [problemOf('not-found', seenOf(first))];
  if (status >= 500) return [problemOf(isRefused(unsigned) ? 'fails-after-check' : 'always-error', seenOf(first))];
  return [problemOf('other-secret', seenOf(first))];
}

type Variant = {
  causes: readonly SignatureCauseId[];
  mistake: SigningMistake;
  rename?: boolean;
  shiftSeconds?: number;
};

/** Sends the same event with one mistake after the other, until one is accepted, and then once more. */
async function findAccepted(tools: Tools): Promise<HandlerProblem | undefined> {
  const sample = tools.event();
  for (const { causes, mistake, rename, shiftSeconds = 0 } of variantsOf(tools, sample)) {
    const deliver = () => {
      const request = { ...tools.event(), body: sample.body };
      const signed = tools.sign(request, { shiftSeconds }, mistake);
      const headers = rename
        ? signed.map(([name, value]): [string, string] => [name.replace('webhook-', 'svix-'), value])
        : signed;
      return tools.ask(
        `An event signed so that ${causes.map((cause) => signatureCauses[cause].finding).join(', and ')}`,
        request,
        { headers },
      );
    };
    // One after the other: the first accepted one ends the search.
    // oxlint-disable-next-line no-await-in-loop
    if (!isAccepted(await deliver()) || !isAccepted(await deliver())) continue;
    const findings = causes.map((cause) => signatureCauses[cause].finding);
    const [main = 'other-text'] = causes;
    return {
      cause: `signature:${causes.join('+')}`,
      does: `It accepts an event only if ${findings.join(', and ')}.`,
      should: forHandlers[main] ?? signatureCauses[main].advice,
    };
  }
  return undefined;
}

const exactText = 'Verify exactly the text that the sender’s rule names: for Standard Webhooks, id.timestamp.body.';
/** Where the advice for signers would mislead a receiver. */
const forHandlers: Partial<Record<SignatureCauseId, string>> = {
  'signature-hex': 'Compare with the hash in base64, not in hexadecimal digits.',
  'signature-base64': 'Compare with the hash in hexadecimal digits, not in base64.',
  'signature-base64url': 'Compare with the hash in standard base64, with + and /.',
  'signature-version': 'Remove what is before the signature, such as its version, and compare the rest.',
  'digits-of-base64': 'Compare with the base64 of the hash’s bytes.',
  'secret-prefix': 'Use the secret exactly as it is shown, with its prefix.',
  'secret-decoded': 'Use the secret’s text as the key. It is not base64.',
  'body-only': exactText,
  'id-missing': exactText,
  'timestamp-missing': exactText,
  'wrong-order': exactText,
  'other-headers': 'Read the headers that the sender sends: webhook-id, webhook-timestamp, and webhook-signature.',
  milliseconds: 'The timestamp is in seconds. Multiply it by 1000 before you compare it with a clock in milliseconds.',
  'timestamp-zone': 'Compare the timestamp with the time in UTC.',
  'body-empty': 'Something read the body before the handler. Verify the raw body before any parser.',
};

function variantsOf({ profile, secret, isRainbell }: Tools, sample: SenderRequest): Variant[] {
  const scheme = signingScheme(profile, sample);
  if (!scheme || scheme.alg === 'equals') return [];
  const time = '0';
  const keys = keyMistakes(scheme, secret).map(([cause, bytes]) => ({ causes: [cause], key: makeKey(scheme, bytes) }));
  const usable = keys.filter(({ key }) => key !== undefined);
  const contents = listContents(scheme, readSenderRequest(sample), sample, { time })
    .filter(({ causes, context }) => causes.length > 0 && !context)
    .map(({ causes, template }): Variant => ({ causes, mistake: { template } }));
  const bodies = listBodyVariants(sample.body, undefined).flatMap(({ cause, bytes }): Variant[] =>
    cause === null ? [] : [{ causes: [cause], mistake: { signedBody: bytes } }],
  );
  const forms = formsOf(scheme);
  const pairedContents: Variant[] = [
    { causes: [], mistake: {} },
    { causes: ['body-only'], mistake: { template: '{body}' } },
  ];
  const pairs = [{ causes: [], key: undefined }, ...usable.slice(0, 8)].flatMap((one) =>
    pairedContents.flatMap((content) =>
      [{ causes: [], mistake: {} }, ...forms].map((form): Variant => ({
        causes: [...one.causes, ...content.causes, ...form.causes],
        mistake: { key: one.key, ...content.mistake, ...form.mistake },
      })),
    ),
  );
  const zones = Array.from({ length: 27 }, (_, index) => (index - 12) * 3600).filter((step) => step !== 0);
  return [
    ...usable.map(({ causes, key }): Variant => ({ causes, mistake: { key } })),
    ...contents.slice(0, 6),
    ...bodies,
    ...forms,
    ...(scheme.timestamp?.unit === 's'
      ? [{ causes: ['milliseconds'] as const, mistake: { isInMilliseconds: true } }]
      : []),
    ...(isRainbell ? [{ causes: ['other-headers'] as const, mistake: {}, rename: true }] : []),
    ...contents.slice(6),
    ...pairs.filter(({ causes }) => causes.length > 1),
    ...(scheme.timestamp
      ? zones.map((shiftSeconds): Variant => ({ causes: ['timestamp-zone'], mistake: {}, shiftSeconds }))
      : []),
  ].slice(0, maxVariants);
}

function formsOf(scheme: Scheme): Variant[] {
  const entry = entryOf(scheme);
  const [cause, other] =
    (scheme.enc ?? 'hex') === 'hex' ? (['signature-base64', 'base64'] as const) : (['signature-hex', 'hex'] as const);
  const forms: [SignatureCauseId[], (hash: Buffer) => string][] = [
    [[cause], (hash) => entry + hash.toString(other)],
    [['signature-base64url'], (hash) => entry + hash.toString('base64url')],
    [['signature-version'], (hash) => encode(scheme, hash)],
    [['signature-version', cause], (hash) => hash.toString(other)],
    [['signature-version', cause], (hash) => `sha256=${hash.toString(other)}`],
    [['digits-of-base64'], (hash) => entry + Buffer.from(hash.toString('hex')).toString('base64')],
  ];
  return forms.map(([causes, write]) => ({ causes, mistake: { write } }));
}

function withoutSignature({ profile }: Tools, request: SenderRequest): HeaderList {
  const names = profile.schemes.flatMap(({ sig }) => sig).map((ref) => ref.replace('header:', ''));
  return request.headers.filter(([name]) => !names.includes(name.toLowerCase()));
}

/** The rest would only repeat these. */
const hasNoCheck = new Set<string>(['before-body', 'no-check', 'html-page', 'any-signature'] satisfies HandlerCause[]);

/** What a handler that accepts valid events does wrong, the worst first. */
async function examine(tools: Tools, first: CheckReply): Promise<HandlerProblem[]> {
  const problems: HandlerProblem[] = [];
  const note = (cause: HandlerCause, seen?: string) => {
    if (!problems.some((problem) => problem.cause === cause)) problems.push(problemOf(cause, seen));
  };
  /** Whether a valid event is accepted; notes why not. */
  const expectAccepted = (reply: CheckReply, cause: HandlerCause) => {
    if (isAccepted(reply)) return true;
    note(retried.includes(reply.status ?? 0) ? 'rate-limit' : cause, seenOf(reply));
    return false;
  };
  if (first.tookMs > tools.responseMs * 0.6) note('slow', `${Math.round(first.tookMs / 100) / 10} s`);
  const notes = { first, note, expectAccepted };
  for (const examineOne of [examineSignature, examineAge, examineRotation, examineDelivery]) {
    // In order: some handlers take one request at a time.
    // oxlint-disable-next-line no-await-in-loop
    await examineOne(tools, notes);
    if (problems.some(({ cause }) => hasNoCheck.has(cause))) break;
  }
  return problems;
}

type Notes = {
  first: CheckReply;
  note: (cause: HandlerCause, seen?: string) => void;
  expectAccepted: (reply: CheckReply, cause: HandlerCause) => boolean;
};

async function examineSignature(tools: Tools, { first, note, expectAccepted }: Notes): Promise<void> {
  const { ask, event, sign } = tools;
  const slow = await ask('A valid event whose body arrives in pieces', event(), { pace: 'slow' });
  if (isAccepted(slow) && slow.isEarly) return note('before-body');
  expectAccepted(slow, 'slow-body');
  const unsigned = event();
  const bare = await ask('An event without a signature', unsigned, { headers: withoutSignature(tools, unsigned) });
  const forgedEvent = event();
  const forgedHeaders = sign(forgedEvent, { secret: unknownSecret() });
  const forged = await ask('An event signed with another secret', forgedEvent, { headers: forgedHeaders });
  const isHtml = /text\/html/i.test(String(first.headers['content-type'] ?? ''));
  if (isAccepted(bare) && isAccepted(forged)) return note(isHtml ? 'html-page' : 'no-check');
  if (isAccepted(forged)) return note('any-signature');
  if (isAccepted(bare)) note('missing-signature');
  else if (!isRefused(bare)) note('error-on-missing-headers', seenOf(bare));
  if (!isRefused(forged)) note('error-on-bad-signature', seenOf(forged));
  else if (retried.includes(forged.status ?? 0)) note('rate-limit', seenOf(forged));
  const nameless = event();
  const headers = nameless.headers.filter(([name]) => /^(content-type|user-agent)$/i.test(name));
  const stranger = await ask('An event without any of the sender’s headers', nameless, { headers });
  if (isAccepted(stranger)) note('missing-signature');
  else if (!isRefused(stranger)) note('error-on-missing-headers', seenOf(stranger));
}

async function examineAge({ ask, event, sign, profile }: Tools, { note }: Notes): Promise<void> {
  const { tolerance = null } = signingScheme(profile, event())?.timestamp ?? {};
  if (tolerance !== null) {
    const old = event();
    const aged = (seconds: number) =>
      ask(`An event signed ${seconds} s ago`, old, { headers: sign(old, { shiftSeconds: -seconds }) });
    if (isAccepted(await aged(tolerance * 2))) {
      if (isAccepted(await aged(tolerance * 100_000))) note('no-age');
      else note('wide-tolerance', `${tolerance * 2} s`);
    }
  }
}

async function examineRotation({ ask, event, sign, profile }: Tools, { expectAccepted }: Notes): Promise<void> {
  const scheme = signingScheme(profile, event());
  const { list } = scheme ?? {};
  if (scheme && list) {
    const foreign = entryOf(scheme) + encode(scheme, randomBytes(32));
    const own = (hash: Buffer) => entryOf(scheme) + encode(scheme, hash);
    const rotated = (sent: string, write: (hash: Buffer) => string) => {
      const request = event();
      return ask(sent, request, { headers: sign(request, {}, { write }) });
    };
    const [sep = ' '] = list.sep;
    const before = await rotated('An event with another signature first', (hash) => foreign + sep + own(hash));
    const after = await rotated('An event with another signature second', (hash) => own(hash) + sep + foreign);
    if (expectAccepted(after, 'whole-header')) expectAccepted(before, 'first-signature-only');
  }
}

async function examineDelivery(tools: Tools, { note, expectAccepted }: Notes): Promise<void> {
  const { ask, event, sign, isRainbell } = tools;
  const twice = event();
  if (expectAccepted(await ask('A valid event', twice), 'duplicate'))
    expectAccepted(await ask('The same event again', twice), 'duplicate');
  if (isRainbell) {
    const earlier = event();
    const signed = sign(earlier, { shiftSeconds: -90 });
    expectAccepted(await ask('An event signed 90 s ago', earlier, { headers: signed }), 'order');
    const gone = await ask('An event of a monitor that does not exist', event({}, 'precipitation_999999999'));
    if (!isAccepted(gone) && (!isSettled(gone) || retried.includes(gone.status ?? 0)))
      note('unknown-monitor', seenOf(gone));
  }
  const knowsOthers = expectAccepted(
    await ask('An event with an unknown field', event({ rainbell_check: { list: [1, null] } })),
    'unknown-field',
  );
  const compact = event();
  const spaced = compact.body
    .toString()
    .replaceAll('":', '" : ')
    .replace(/"precipitation"/, String.raw`"\u0070recipitation"`)
    .replace('7.6869', '7.68690');
  const isRaw = expectAccepted(
    await ask('An event with spaces, escapes, and a trailing zero', { ...compact, body: Buffer.from(spaced) }),
    're-serializes',
  );
  if (isRaw && knowsOthers)
    expectAccepted(await ask('An event in several scripts', event({ note: 'Zürich 東京 🌧' })), 'charset');
  await examineOrder(tools, note);
  expectAccepted(await ask('A valid event with Expect: 100-continue', event(), { pace: 'expect-continue' }), 'expect');
  const got = await ask('A GET without a signature', event(), { method: 'GET', headers: [['accept', '*/*']] });
  if (isAccepted(got)) note('accepts-get', seenOf(got));
  const broken = event();
  await ask('A valid event, cut off in the middle of its body', broken, { pace: 'broken-off' });
  expectAccepted(await ask('The same event, in full', broken), 'retry');
  // Last, because a handler may not survive it.
  const large = event();
  const padding = ' '.repeat(megabyte - large.body.length);
  const padded = await ask('A valid event of 1 MB', {
    ...large,
    body: Buffer.from(large.body.toString().replace(/\}$/, `${padding}}`)),
  });
  if (padded.status !== 413 && isRaw) expectAccepted(padded, 'large-body');
}

const isSettled = ({ status }: CheckReply) => status !== null && status >= 400 && status <= 499;

/** A handler that verifies first responds to every wrong signature alike, whatever the body is. */
async function examineOrder({ ask, event, sign }: Tools, note: Notes['note']): Promise<void> {
  const [valid, broken] = [event(), { ...event(), body: Buffer.from('{"id": ') }];
  const secret = unknownSecret();
  const reply = await ask('An event signed with another secret', valid, { headers: sign(valid, { secret }) });
  const other = await ask('Invalid JSON signed with another secret', broken, { headers: sign(broken, { secret }) });
  if (reply.status !== other.status) note('parses-first', `${seenOf(other)} instead of ${seenOf(reply)}`);
}
