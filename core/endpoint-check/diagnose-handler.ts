// Finds the bug of a webhook handler by what it accepts: Rainbell signs, so it can send the usual mistakes on purpose, and the one that the
// handler accepts names its bug. It names only what it has seen.
import {
  type CheckedCase,
  checkCaseIds,
  type HandlerProblem,
  type HeaderList,
  signatureCauses,
  type SignatureCauseId,
} from '@rainbell/contract/app-rpc';
import { headerOf } from '../http/http-headers.ts';
import { listBodyVariants } from '../senders/body-variants.ts';
import { keyMistakes, listContents } from '../senders/diagnose-sender.ts';
import type { Scheme, SenderProfile } from '../senders/sender-profile.ts';
import type { SenderRequest } from '../senders/sender-request.ts';
import { encode, entryOf, type SigningMistake, signingScheme } from '../senders/sign-request.ts';
import { standardWebhooks } from '../senders/sender-rows.ts';
import { isPublic, makeKey } from '../senders/verify-sender.ts';
import { accepted, type CheckOptions, runCase } from './check-cases.ts';
import { type CheckEvents, createCheckEvents, unknownSecret } from './check-events.ts';
import type { CheckReply } from './check-sender.ts';
import { exampleFor } from './handler-examples.ts';
import {
  type HandlerCause,
  handlerCauses,
  isAccepted,
  problemOf,
  retriedStatuses,
  seenOf,
} from './handler-problems.ts';

export type DiagnoseOptions = CheckOptions & {
  /** The time limit for a response. */
  responseMs: number;
};

const maxVariants = 400;

/**
 * Returns the problems, the worst first; the cases, none if a valid event is refused or the response takes too long; and a right handler,
 * if the headers reveal the language and it does not refuse every event for another reason. Throws AppFailure INVALID_INPUT for a URL to
 * which nothing is sent.
 */
export async function diagnoseHandler(options: DiagnoseOptions) {
  const { send, url, profile } = options;
  const events = createCheckEvents(options);
  const tools: Tools = { ...events, profile, ask: (sent, request) => send(url, { ...request, sent }) };
  const first = await tools.ask('A valid event', events.sign(events.create()));
  const { problems, cases } = isAccepted(first)
    ? await examine(options, tools, first)
    : { problems: await explainRefusal(tools, first), cases: [] };
  const isHelpful = problems.some(({ cause }) => isAccepted(first) || cause.startsWith('signature:'));
  const example = isHelpful && profile === standardWebhooks ? exampleFor(first.headers) : null;
  return { problems, cases, example };
}

type Tools = CheckEvents & {
  profile: SenderProfile;
  ask: (sent: string, request: SenderRequest) => Promise<CheckReply>;
};

async function explainRefusal(tools: Tools, first: CheckReply): Promise<HandlerProblem[]> {
  const { status, problem } = first;
  if (status === null) return [problemOf(/within/.test(String(problem)) ? 'slow' : 'unreachable', String(problem))];
  if (status >= 300 && status <= 399) {
    const to = headerOf(first.headers, 'location') ?? 'no Location';
    return [
      problemOf(/log[-_]?in|sign[-_]?in|auth|session/i.test(to) ? 'login-redirect' : 'redirect', `${status} to ${to}`),
    ];
  }
  if (retriedStatuses.has(status) || status === 503) {
    const again = [
      await tools.ask('Another valid event', tools.sign(tools.create())),
      await tools.ask('A third one', tools.sign(tools.create())),
    ];
    if (again.some(isAccepted)) return [problemOf('rate-limit', seenOf(first))];
  }
  const accepted = await findAccepted(tools);
  if (accepted) return [accepted];
  const bare = await tools.ask('An unsigned event', tools.create());
  if (status === 404 || status === 405) return [problemOf('not-found', seenOf(first))];
  if (status >= 500)
    return [problemOf((bare.status ?? 500) < 500 ? 'fails-after-check' : 'always-error', seenOf(first))];
  return [problemOf('other-secret', seenOf(first))];
}

type Variant = {
  causes: readonly SignatureCauseId[];
  mistake: SigningMistake;
  /** Repeats the headers under other usual names. */
  repeats?: boolean;
};

/** Sends the same event with one mistake after the other, until one is accepted, and then once more. */
async function findAccepted(tools: Tools): Promise<HandlerProblem | undefined> {
  const sample = tools.create();
  for (const { causes, mistake, repeats } of variantsOf(tools, sample)) {
    const findings = causes.map((cause) => signatureCauses[cause].finding);
    const deliver = () => {
      const signed = tools.sign({ ...tools.create(), body: sample.body }, {}, mistake);
      const sent = `An event signed so that ${findings.join(', and ')}`;
      return tools.ask(sent, repeats ? { ...signed, headers: signed.headers.flatMap(underOtherNames) } : signed);
    };
    // One after the other: the first accepted one ends the search.
    if (!isAccepted(await deliver()) || !isAccepted(await deliver())) continue;
    const [main = 'other-text'] = causes;
    return {
      cause: `signature:${causes.join('+')}`,
      does: `It accepts an event only if ${findings.join(', and ')}.`,
      should: signatureCauses[main].advice,
    };
  }
  return undefined;
}

const otherNames = ['svix-', 'x-webhook-', 'x-rainbell-', 'rainbell-', 'webhook_', 'x-', ''];

function underOtherNames(header: HeaderList[number]): HeaderList {
  const [name, value] = header;
  const rest = /^webhook-(.*)/.exec(name)?.[1];
  return rest === undefined ? [header] : [header, ...otherNames.map((start): typeof header => [start + rest, value])];
}

function variantsOf({ profile, secret }: Tools, sample: SenderRequest): Variant[] {
  const scheme = signingScheme(profile, sample);
  if (!scheme || scheme.alg === 'equals') return [];
  const time = '0';
  const keys = keyMistakes(scheme, secret).map(([cause, bytes]) => ({ causes: [cause], key: makeKey(scheme, bytes) }));
  const empty = { causes: ['secret-empty'] as const, key: Buffer.alloc(0) };
  const usable = [...keys.filter(({ key }) => key !== undefined), ...(isPublic(scheme) ? [] : [empty])];
  const contents = listContents(scheme, sample, { time })
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
  return [
    ...usable.map(({ causes, key }): Variant => ({ causes, mistake: { key } })),
    ...contents.slice(0, 6),
    ...otherAlgorithms
      .filter((alg) => alg !== (scheme.alg ?? 'hmac-sha256'))
      .map((alg): Variant => ({ causes: ['wrong-algorithm'], mistake: { alg } })),
    ...bodies,
    ...forms,
    ...(scheme.timestamp?.unit === 's'
      ? [{ causes: ['milliseconds'] as const, mistake: { isInMilliseconds: true } }]
      : []),
    ...(profile === standardWebhooks ? [{ causes: ['other-headers'] as const, mistake: {}, repeats: true }] : []),
    ...contents.slice(6),
    ...pairs.filter(({ causes }) => causes.length > 1),
  ].slice(0, maxVariants);
}

const otherAlgorithms = ['hmac-sha256', 'hmac-sha1', 'hmac-sha512', 'hmac-sha384'] as const;

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
  ];
  return forms.map(([causes, write]) => ({ causes, mistake: { write } }));
}

/** Those of a handler that does not verify: all else would only repeat them. */
const hasNoCheck = new Set<string>(['before-body', 'no-check', 'html-page', 'any-signature'] satisfies HandlerCause[]);
/** What has the same reason as another bug. */
const sameReason: Readonly<Partial<Record<HandlerCause, readonly string[]>>> = {
  'unknown-field': ['charset', 'large-body'],
  're-serializes': ['charset', 'trims'],
  'no-age': ['from-future'],
  'any-signature': ['partial-signature'],
  'rate-limit': ['parses-first'],
  'valid-refused': handlerCauses.slice(handlerCauses.indexOf('first-signature-only')),
};

async function examine(options: DiagnoseOptions, tools: Tools, first: CheckReply) {
  // The rest would take minutes.
  if (first.tookMs > options.responseMs * 0.6)
    return { problems: [problemOf('slow', `${Math.round(first.tookMs / 100) / 10} s`)], cases: [] };
  const found = await examineBody(tools);
  const cases: CheckedCase[] = [];
  for (const id of checkCaseIds) {
    // In order: some handlers take one request at a time.
    cases.push(await runCase(id, options));
  }
  found.push(...cases.flatMap(({ findings }) => findings.flatMap(({ problem }) => problem ?? [])));
  const has = (cause: HandlerCause) => found.some((problem) => problem.cause === cause);
  const isHtml = /text\/html/i.test(headerOf(first.headers, 'content-type') ?? '');
  if (has('any-signature') && has('missing-signature')) found.push(problemOf(isHtml ? 'html-page' : 'no-check'));
  const isRecent = has('no-age') && !(await acceptsAnyAge(tools));
  const repeated = Object.entries(sameReason).flatMap(([cause, others]) => (has(cause as HandlerCause) ? others : []));
  const problems = handlerCauses.flatMap((cause) => {
    const problem = repeated.includes(cause) ? undefined : found.find((one) => one.cause === cause);
    return problem && isRecent && cause === 'no-age' ? problemOf('wide-tolerance') : (problem ?? []);
  });
  const only = problems.find(({ cause }) => hasNoCheck.has(cause));
  return { problems: only ? [only] : problems, cases };
}

async function acceptsAnyAge({ ask, create, sign, tolerance }: Tools): Promise<boolean> {
  const old = sign(create(), { shiftSeconds: -100_000 * (tolerance ?? 0) });
  return isAccepted(await ask('An event signed long ago', old));
}

/** What the cases don't show. */
async function examineBody(tools: Tools): Promise<HandlerProblem[]> {
  const { profile, ask, create, sign } = tools;
  const [compact, ended] = [create(), create()];
  const spaced = compact.body
    .toString()
    .replaceAll('":', '" : ')
    .replace(/"precipitation"/, String.raw`"\u0070recipitation"`)
    .replace('7.6869', '7.68690');
  const withSpaces = sign({ ...compact, body: Buffer.from(spaced) });
  const withLineBreak = sign({ ...ended, body: Buffer.concat([ended.body, Buffer.from('\n')]) });
  const inScripts = sign(create({ more: { note: 'Zürich 東京 🌧' } }));
  const findings = [
    accepted(await ask('A valid event with spaces', withSpaces), 're-serializes'),
    accepted(await ask('A valid event and a line break', withLineBreak), 'trims'),
    accepted(await ask('A valid event in several scripts', inScripts), 'charset'),
  ];
  // A handler that verifies first responds to every wrong signature alike, whatever the body is.
  const secrets = [unknownSecret()];
  const broken = { ...create(), body: Buffer.from('{"id": ') };
  const reply = await ask('An event signed with another secret', sign(create(), { secrets }));
  const other = await ask('Invalid JSON signed with another secret', sign(broken, { secrets }));
  const partial = await sendPartly(tools);
  const isFuture =
    profile === standardWebhooks &&
    isAccepted(await ask('An event signed 3 hours from now', sign(create(), { shiftSeconds: 10_800 })));
  const get: SenderRequest = { ...create(), method: 'GET', headers: [['accept', '*/*']], body: Buffer.alloc(0) };
  const got = await ask('A GET without a signature', get);
  return [
    ...findings.flatMap(({ problem }) => problem ?? []),
    ...(reply.status === other.status
      ? []
      : [problemOf('parses-first', `${seenOf(other)} instead of ${seenOf(reply)}`)]),
    ...(partial && isAccepted(partial) ? [problemOf('partial-signature')] : []),
    ...(isFuture ? [problemOf('from-future')] : []),
    ...(isAccepted(got) ? [problemOf('accepts-get', seenOf(got))] : []),
  ];
}

/** An event whose signature differs only in its last byte; undefined if the sender sends a secret in its place. */
async function sendPartly({ profile, ask, create, sign }: Tools): Promise<CheckReply | undefined> {
  const request = create();
  const scheme = signingScheme(profile, request);
  if (!scheme || scheme.enc === 'text') return undefined;
  const write = (hash: Buffer) =>
    entryOf(scheme) + encode(scheme, Buffer.from(hash.with(-1, (hash.at(-1) ?? 0) ^ 0xff)));
  return ask('An event whose signature is wrong at its end', sign(request, {}, { write }));
}
