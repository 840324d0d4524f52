// Finds out why a signature does not verify, by trying the usual mistakes of signers, of receivers, and of what lies between them, for any
// row. It names a cause only if the signature verifies with it, so a wrong diagnosis is as unlikely as a forged signature. It never changes
// a verdict. What it only suspects, it calls a guess.
import { createHash } from 'node:crypto';
import { type SignatureCauseId, signatureCauseIds, type SignatureDiagnosis } from '@rainbell/contract/app-rpc';
import { listBodyVariants } from './body-variants.ts';
import type { Algorithm, Encoding, Scheme, SenderProfile } from './sender-profile.ts';
import { readSenderRequest, type RequestReader, type SenderRequest, type TemplateContext } from './sender-request.ts';
import {
  contentsOf,
  decodeStrictly,
  digestOf,
  hasSameHash,
  isPublic,
  isSignedBy,
  itemsOf,
  type Key,
  keyOf,
  makeKey,
  readSigned,
  type SenderVerdict,
  type Signed,
  signatureTexts,
  signedSchemes,
  verifySender,
} from './verify-sender.ts';
import { listUrls } from './list-urls.ts';
import { senderRows } from './sender-rows.ts';

export type KnownSecret = {
  secret: string;
  /** `other-endpoint`: of another path. `client`: an OAuth client secret. */
  origin: 'current' | 'previous' | 'other-connection' | 'other-endpoint' | 'client';
};

export type DoctorRequest = SenderRequest & {
  /** Without its `Content-Encoding`, if it has one and can be decoded. */
  decodedBody?: Buffer | undefined;
};

/** Bounds the time: about 5 ms for hashing, also for a body of many megabytes. */
const maxHashedBytes = 4 * 1024 * 1024;
const maxTried = 1500;
/** A public key costs about 100 µs. */
const maxPublicTried = 200;
const maxSecrets = 20;
/** More are not tried together with a second mistake. */
const maxPaired = 12;
const maxSignatures = 10;

type Causes = readonly SignatureCauseId[];
/** A way to take a part of the computation; without causes, it is the right one. */
type Part = { causes: Causes };
type UsedKey = Part & { key: Key; alg: Algorithm; secret: string };
type Content = Part & {
  template: string;
  context?: TemplateContext;
};
type Source = Part & { reader: RequestReader; detail?: string };
type Form = Part & { bytes: Buffer };
/** The signatures of a request as one row reads them. */
type Case = Part & { scheme: Scheme; profile: SenderProfile };

/** Verifies a request, and finds out why its signature is wrong. `receivedAt`: in epoch milliseconds. */
export function diagnoseRequest(
  profile: SenderProfile,
  request: DoctorRequest,
  known: readonly KnownSecret[],
  receivedAt: number,
): SignatureDiagnosis {
  const { fits } = readSenderRequest(request);
  const others = senderRows.filter(({ match }) => fits(match));
  const secrets = known.filter(({ origin }) => origin === 'current').map(({ secret }) => secret);
  const { state } = verifySender(profile, request, { secrets, receivedAt });
  return { sender: profile.name, outcome: outcomes[state], ...diagnoseSender(profile, request, known, others) };
}

const outcomes = {
  verified: 'valid',
  stale: 'valid',
  invalid: 'wrong',
  unsigned: 'missing',
  'no-secret': 'unchecked',
  unchecked: 'unchecked',
} as const satisfies Record<SenderVerdict['state'], SignatureDiagnosis['outcome']>;

/** Diagnoses a request whose signature does not verify. `others`: further rows that recognize it. */
export function diagnoseSender(
  profile: SenderProfile,
  request: DoctorRequest,
  secrets: readonly KnownSecret[],
  others: readonly SenderProfile[] = [],
): Omit<SignatureDiagnosis, 'sender' | 'outcome'> {
  const reader = readSenderRequest(request);
  const cases = listCases(profile, others, reader);
  const bodies = listBodyVariants(request.body, request.decodedBody).map(({ cause, bytes }): Source =>
    cause === null
      ? { causes: [], reader }
      : { causes: [cause], reader: readSenderRequest({ ...request, body: bytes }) },
  );
  const effort: Effort = { tried: 0, hashedBytes: 0, isComplete: true };
  let found: Found | undefined;
  for (const one of cases) found ??= searchCase(one, { request, reader, secrets, bodies, effort });
  return {
    verifies: found !== undefined,
    causes: signatureCauseIds.filter((cause) => found?.causes.includes(cause)),
    details: found?.details ?? [],
    guesses: found ? [] : listGuesses(cases[0]?.scheme, request, secrets),
    tried: effort.tried,
    isComplete: found !== undefined || effort.isComplete,
  };
}

/** The right scheme first, then the sender's others, then those of other senders; they are only reported, and make nothing valid. */
function listCases(profile: SenderProfile, others: readonly SenderProfile[], reader: RequestReader): Case[] {
  const own = signedSchemes(profile, reader);
  // A signature under another name is read as if it had the right one.
  const schemes = own.length > 0 ? own : profile.schemes.slice(-1);
  const versions = profile.schemes.filter((one) => !schemes.includes(one) && signatureTexts(one, reader).length > 0);
  return [
    ...schemes.map((scheme): Case => ({ causes: [], scheme, profile })),
    ...versions.map((scheme): Case => ({ causes: ['other-version'], scheme, profile })),
    ...others
      .filter(({ id }) => id !== profile.id)
      .flatMap((row) => signedSchemes(row, reader).map((scheme) => ({ scheme, profile: row })))
      .map((one): Case => ({ causes: ['other-sender'], ...one })),
  ];
}

type Effort = { tried: number; hashedBytes: number; isComplete: boolean };
type Found = { causes: Causes; details: string[] };
type Materials = {
  request: DoctorRequest;
  reader: RequestReader;
  secrets: readonly KnownSecret[];
  bodies: readonly Source[];
  effort: Effort;
};

const rightOf = <Of extends Part>(parts: readonly Of[]) => parts.filter(({ causes }) => causes.length === 0);
const wrongOf = <Of extends Part>(parts: readonly Of[]) => parts.filter(({ causes }) => causes.length > 0);

function searchCase(one: Case, materials: Materials): Found | undefined {
  const { causes, scheme, profile } = one;
  const { request, reader, effort } = materials;
  const [item] = itemsOf(scheme, reader);
  const own = signatureTexts(scheme, reader, item);
  const other = request.headers.find(([name]) => /signature/i.test(name))?.[1] ?? '';
  const signed = readSigned(scheme, reader, item, own.length > 0 ? own : [other]);
  const forms = listForms(scheme, signed, own.length > 0 ? [] : ['other-headers']);
  const byDigest = new Map(forms.map((form) => [form.bytes.toString('base64'), form]));
  const context = { ...signed.context, time: signed.time?.text ?? timestampOf(request) };
  const limit = isPublic(scheme) ? maxPublicTried : maxTried;
  for (const { used, content, source } of forms.length > 0 ? combine(one, materials, { forms, context }) : []) {
    if (effort.tried >= limit || effort.hashedBytes > maxHashedBytes) {
      effort.isComplete = false;
      return undefined;
    }
    const { key, alg, secret } = used;
    const text = source.reader.render(content.template, { ...context, ...content.context, secret });
    if ('missing' in text) continue;
    effort.tried += 1;
    effort.hashedBytes += text.bytes.length;
    const form = isPublic(scheme)
      ? forms.find(({ bytes }) => isSignedBy(alg, key, text.bytes, [bytes]))
      : byDigest.get(digestOf(alg, key, text.bytes).toString('base64'));
    if (!form || !hasSameHash(scheme, source.reader)) continue;
    return {
      causes: [...causes, ...used.causes, ...content.causes, ...source.causes, ...form.causes],
      details: [
        ...(causes.includes('other-sender') ? [`It is signed as ${profile.name} signs.`] : []),
        ...(content.causes.length > 0 && !content.context ? [`The signed text is ${content.template}.`] : []),
        ...(source.detail === undefined ? [] : [source.detail]),
      ],
    };
  }
  return undefined;
}

type Combination = { used: UsedKey; content: Content; source: Source };

/** By the number of changes: what one change explains is found before what needs two. */
function* combine(
  { causes, scheme }: Case,
  { request, secrets, bodies }: Materials,
  { forms, context }: { forms: readonly Form[]; context: TemplateContext },
): Generator<Combination> {
  const keys = listKeys(secrets, scheme, forms);
  const contents = listContents(scheme, request, context);
  const sources = scheme.alg === 'equals' ? bodies.slice(0, 1) : [...bodies, ...urlSources(scheme, request)];
  const [someKeys, someContents] = [wrongOf(keys).slice(0, maxPaired), wrongOf(contents).slice(0, maxPaired)];
  const [rightKeys, rightContents, rightSources] = [rightOf(keys), rightOf(contents), rightOf(sources)] as const;
  const rounds: [readonly UsedKey[], readonly Content[], readonly Source[]][] = [
    [keys, rightContents, rightSources],
    [rightKeys, wrongOf(contents), rightSources],
    [rightKeys, rightContents, wrongOf(sources)],
    [someKeys, someContents, rightSources],
    [rightKeys, someContents, wrongOf(sources)],
    [someKeys, rightContents, wrongOf(sources)],
  ];
  // Another row is only tried as it is.
  for (const [triedKeys, triedContents, triedSources] of causes.length > 0 ? rounds.slice(0, 1) : rounds)
    for (const content of triedContents)
      for (const source of triedSources) for (const used of triedKeys) yield { used, content, source };
}

function timestampOf({ headers }: SenderRequest): string | undefined {
  return headers.find(([name]) => /(^|-)timestamp$/i.test(name))?.[1];
}

/** What the signature may mean, with what is wrong with its form. */
function listForms(scheme: Scheme, { texts: [text = ''], given, received }: Signed, base: Causes): Form[] {
  const right = received.map((bytes): Form => ({ bytes, causes: base }));
  if (scheme.alg === 'equals') return right;
  const { enc = 'hex', list } = scheme;
  const isPrefixRight = given.length > 0 || (list !== undefined && text.includes(list.key + list.eq));
  const loose: Causes = [...base, isPrefixRight ? 'signature-separator' : 'signature-version'];
  const forms = [
    ...right,
    ...given.slice(0, maxSignatures).flatMap((one) => formsOf(one, enc, base)),
    ...looseEntries(text).flatMap((one) => formsOf(one, enc, loose)),
  ];
  const isDigest = ({ bytes }: Form) => isPublic(scheme) || [20, 32, 48, 64].includes(bytes.length);
  // What explains it with fewer causes comes first, and the same bytes need not be tried again.
  const sorted = forms.filter(isDigest).toSorted((one, other) => one.causes.length - other.causes.length);
  return [...new Map(sorted.toReversed().map((form) => [form.bytes.toString('base64'), form])).values()].toReversed();
}

function formsOf(text: string, enc: Encoding, base: Causes): Form[] {
  const hex = decodeStrictly(text, 'hex');
  const base64 = /^[\w+/-]+=*$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  const isPadded = text.endsWith('=') || base64.length % 3 === 0;
  const mistakes: Causes = /[-_]/.test(text)
    ? ['signature-base64url']
    : enc === 'hex'
      ? ['signature-base64']
      : isPadded
        ? []
        : ['signature-padding'];
  return [
    ...(hex ? [{ bytes: hex, causes: enc === 'hex' ? base : ([...base, 'signature-hex'] as const) }] : []),
    ...(base64.length > 0 ? [{ bytes: base64, causes: [...base, ...mistakes] }] : []),
  ];
}

/** The header's parts, whatever separates them, with and without what is before them. */
function looseEntries(header: string): string[] {
  return header
    .replaceAll(/["'\r\n]/g, ' ')
    .split(/[\s;]+|,(?=v1[,=:])|(?<=[=\w]),(?=[\w+/-]{27,}={0,2}(?:$|[\s,;]))/)
    .flatMap((part) => [part, part.replace(/^[a-z][a-z0-9-]{0,11}[,=:]/i, '')])
    .filter((part) => part.length >= 26 && part.length <= 200)
    .slice(0, maxSignatures * 2);
}

const originCauses = {
  current: [],
  previous: ['previous-secret'],
  'other-endpoint': ['other-endpoint'],
  client: ['client-secret'],
  'other-connection': ['other-connection'],
} as const satisfies Record<KnownSecret['origin'], Causes>;

const digestNames = { 20: 'hmac-sha1', 32: 'hmac-sha256', 48: 'hmac-sha384', 64: 'hmac-sha512' } as const;

function listKeys(secrets: readonly KnownSecret[], scheme: Scheme, forms: readonly Form[]): UsedKey[] {
  const { alg = 'hmac-sha256' } = scheme;
  const algorithms = Object.entries(digestNames)
    .filter(([length]) => alg.startsWith('hmac-') && forms.some(({ bytes }) => bytes.length === Number(length)))
    .map(([, name]) => name);
  const known = secrets.slice(0, maxSecrets).map(({ secret, origin }) => {
    const key = origin === 'client' ? makeKey(scheme, Buffer.from(secret)) : keyOf(scheme, secret);
    return { secret, origin, key };
  });
  const named = (isForeign: boolean) =>
    known
      .filter(({ origin }) => (origin === 'other-connection') === isForeign)
      .map(({ secret, origin, key }) => ({ causes: originCauses[origin], key, alg, secret }));
  const all = [
    ...named(false),
    ...known
      .filter(({ origin, secret }) => origin === 'current' && (isPublic(scheme) || !secret.startsWith('whpk_')))
      .flatMap(({ secret, key }) => [
        ...keyMistakes(scheme, secret).map(([cause, bytes]) => ({
          causes: [cause],
          key: makeKey(scheme, bytes),
          alg,
          secret: bytes?.toString() ?? '',
        })),
        ...algorithms.map((name) => ({ causes: ['wrong-algorithm'] as const, key, alg: name, secret })),
      ]),
    ...named(true),
  ];
  const byBytes = new Map<unknown, UsedKey>();
  for (const { key, ...rest } of all) {
    const name = Buffer.isBuffer(key) ? `${rest.alg} ${key.toString('latin1')}` : key;
    if (key && !byBytes.has(name)) byBytes.set(name, { key, ...rest });
  }
  return [...byBytes.values()];
}

/** The keys that programs make of a secret's text by mistake, the likeliest first. */
export function keyMistakes(scheme: Scheme, secret: string): [SignatureCauseId, Buffer | undefined][] {
  const clean = secret
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim();
  const { enc = 'text', strip = [] } = scheme.key ?? {};
  const bytesOf = (text: string) => {
    const prefix = strip.find((one) => text.startsWith(one)) ?? '';
    return enc === 'text' ? Buffer.from(text) : decodeStrictly(text.slice(prefix.length).trim(), enc);
  };
  if (isPublic(scheme))
    return [
      [clean === secret ? 'secret-prefix' : 'secret-trimmed', bytesOf(clean.replaceAll(/-----[A-Z ]+-----|\s/g, ''))],
    ];
  const bare = clean.replace(/^[a-z]{2,8}_/, '');
  const right = bytesOf(secret);
  return [
    ['secret-trimmed', bytesOf(clean)],
    ...[clean, bare].flatMap((text): [SignatureCauseId, Buffer | undefined][] => [
      [enc === 'text' ? 'secret-prefix' : 'secret-not-decoded', Buffer.from(text)],
      ['secret-newline', Buffer.from(`${text}\n`)],
      ['secret-hex', decodeStrictly(text, 'hex')],
    ]),
    ...(enc === 'text' ? [['secret-prefix', Buffer.from(`whsec_${clean}`)] as [SignatureCauseId, Buffer]] : []),
    [enc === 'base64' ? 'prefix-not-removed' : 'secret-decoded', Buffer.from(bare, 'base64')],
    ['prefix-not-removed', Buffer.from(secret, 'base64')],
    ['secret-decoded', Buffer.from(decodeStrictly(bare, 'base64')?.toString().trim() ?? '')],
    ['secret-newline', right && Buffer.concat([right, Buffer.from('\n')])],
  ];
}

const separators = ['', ':', '\n', '|', '-', ',', ' ', '.'];

/** The right text, then the usual other ones of the values at hand. */
export function listContents(scheme: Scheme, { body }: Pick<SenderRequest, 'body'>, { time }: TemplateContext) {
  if (scheme.alg === 'equals') return [{ causes: [], template: '' }];
  const own = contentsOf(scheme);
  const [first = '{body}'] = own;
  const isLong = time !== undefined && /^\d{13}$/.test(time);
  const id = /\{header:[a-z-]*id\}/.exec(first)?.[0];
  const units = isLong ? [time.slice(0, 10), String(Math.round(Number(time) / 1000))] : [`${time}000`];
  const bodyHash = createHash('sha256').update(body).digest('base64');
  const literal = (cause: SignatureCauseId, token: string | undefined, text: string): Content[] =>
    token === undefined ? [] : [{ template: first.replace(token, text), causes: [cause] }];
  const contents: Content[] = [
    ...own.map((template): Content => ({
      template,
      causes: scheme.timestamp?.unit === 's' && isLong ? ['milliseconds'] : [],
    })),
    ...(time !== undefined && first.includes('{time}') ? units : []).map((text): Content => ({
      template: first,
      causes: ['milliseconds'],
      context: { time: text },
    })),
    ...otherTexts(first, id, time !== undefined).map((template) => ({ template, causes: [causeOf(template, first)] })),
    ...literal('id-missing', id, ''),
    ...literal('body-hashed', '{body}', bodyHash),
  ];
  const seen = new Set<string>();
  return contents.filter(({ template, context }) => {
    const name = `${template}\n${context?.time ?? time ?? ''}`;
    return !seen.has(name) && seen.add(name);
  });
}

/** The usual texts of the values at hand, the likeliest first. */
function otherTexts(right: string, id: string | undefined, hasTime: boolean): string[] {
  const values = [...(id === undefined ? [] : [id]), ...(hasTime ? ['{time}'] : [])];
  const withoutBody = right.replace('{body}', '');
  return [
    '{body}',
    ...values.flatMap((value) => [`${value}.{body}`, `${value}:{body}`]),
    withoutBody,
    withoutBody.replace(/[^}]$/, ''),
    ...[...right.matchAll(/(?<=\})[^{}]+(?=\{)/g)].map(({ index, 0: { length } }) => cutAt(right, index, length)),
    ...ordersOf([...values, '{body}']).flatMap((order) => separators.map((separator) => order.join(separator))),
    right.replace('{body}', '{sha256hex:body}'),
    ...(hasTime ? ['v0:{time}:{body}'] : []),
    '{url}{body}',
    '{body}{url}',
  ];
}

function cutAt(text: string, index: number, length: number): string {
  return text.slice(0, index) + text.slice(index + length);
}

function ordersOf(values: readonly string[]): string[][] {
  if (values.length < 2) return [[...values]];
  return values.flatMap((value, index) => ordersOf(values.toSpliced(index, 1)).map((rest) => [value, ...rest]));
}

function causeOf(template: string, right: string): SignatureCauseId {
  const tokens = (text: string): string[] => text.match(/\{[^}]+\}/g) ?? [];
  const [given, wanted] = [tokens(template), tokens(right)];
  const lacks = (token: string | undefined) => token !== undefined && wanted.includes(token) && !given.includes(token);
  const causes: [SignatureCauseId, boolean][] = [
    ['body-hashed', given.includes('{sha256hex:body}')],
    ['wrong-separator', given.join() === wanted.join()],
    ['wrong-order', given.toSorted().join() === wanted.toSorted().join()],
    ['body-only', given.join() === '{body}' && wanted.length > 1],
    ['body-missing', lacks('{body}')],
    ['timestamp-missing', lacks('{time}')],
    ['id-missing', lacks(wanted.find((token) => token.startsWith('{header:')))],
  ];
  return causes.find(([, isSo]) => isSo)?.[0] ?? 'other-text';
}

function urlSources(scheme: Scheme, request: DoctorRequest): Source[] {
  const urls = contentsOf(scheme).some((content) => content.includes('{url')) ? listUrls(request) : [];
  return urls.map((url) => ({
    causes: ['url-changed'],
    reader: readSenderRequest({ ...request, url }),
    detail: `The signed URL is ${url}`,
  }));
}

const apiKeys = /^(sk_|pk_|rk_|xox[abp]-|shpat_|ghp_|glpat-|whsk_)/;

/** Sentences. None of these is proven. */
function listGuesses(scheme: Scheme | undefined, { headers, body }: SenderRequest, secrets: readonly KnownSecret[]) {
  const names = headers.map(([name]) => name.toLowerCase()).filter((name) => name.includes('signature'));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  const start = secrets
    .filter(({ origin }) => origin === 'current')
    .map(({ secret }) => apiKeys.exec(secret)?.[0])
    .find((found) => found !== undefined);
  const isPem = secrets.some(({ secret }) => secret.includes('-----BEGIN')) && !(scheme && isPublic(scheme));
  const numbers = body.length > 1024 * 1024 ? [] : (body.toString('latin1').match(/(?<![\w.])\d{16,}(?![\w.])/g) ?? []);
  const isRounded = numbers.some((digits) => Number(digits) > Number.MAX_SAFE_INTEGER);
  return [
    twice !== undefined && `The header ${twice} appears twice: a proxy may have added its own.`,
    start !== undefined && `The stored secret begins with ${start}: it may be an API key instead of the secret.`,
    isPem && 'The stored secret is a PEM file, which this sender does not use.',
    isRounded && 'The body has an integer above 2^53: a program that parses and rewrites JSON may have rounded it.',
  ].filter((guess) => guess !== false);
}
