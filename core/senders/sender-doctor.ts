// Finds out why a signature does not verify, by trying the usual mistakes of signers, of receivers, and of what lies between them, for any
// row. It names a cause only if the signature verifies with it, so a wrong diagnosis is as unlikely as a forged signature. It never changes
// a verdict. What it only suspects, it calls a guess.
import { createHash, type KeyObject } from 'node:crypto';
import { type SignatureCauseId, signatureCauseIds, type SignatureDiagnosis } from '@rainbell/contract/app-rpc';
import { listBodyVariants } from './body-variants.ts';
import type { Scheme, SenderProfile } from './sender-profile.ts';
import { readSenderRequest, type RequestReader, type SenderRequest, type TemplateContext } from './sender-request.ts';
import {
  contentsOf,
  decodeStrictly,
  digestOf,
  hasSameHash,
  makeKey,
  readSignatures,
  readTime,
  signatureTexts,
  signedSchemes,
  verifyPublic,
} from './verify-sender.ts';
import { listUrls } from './url-variants.ts';

export type KnownSecret = {
  secret: string;
  /** `other-endpoint`: of another path. `client`: an OAuth client secret. */
  origin: 'current' | 'previous' | 'other-connection' | 'other-endpoint' | 'client';
};

export type DoctorRequest = SenderRequest & {
  /** Without its `Content-Encoding`, if it has one and can be decoded. */
  decodedBody?: Buffer | undefined;
  /** Timestamps of earlier attempts with the same event ID. */
  earlierTimestamps?: readonly string[] | undefined;
};

/** Bounds the time: about 5 ms for hashing, also for a body of many megabytes. */
const maxHashedBytes = 4 * 1024 * 1024;
const maxTried = 1500;
/** A public key costs about 100 µs. */
const maxPublicTried = 200;
const maxSecrets = 20;
/** More wrong keys are not tried together with a second mistake. */
const maxPairedKeys = 12;
const maxPairedContents = 12;
const maxSignatures = 10;

type Causes = readonly SignatureCauseId[];
/** One way to change a part of the computation; without causes, it is the right one. */
type Key = { causes: Causes; key: KeyObject; alg: NonNullable<Scheme['alg']>; text: string };
type Content = {
  causes: Causes;
  template: string;
  context?: TemplateContext;
  /** Only with the right key and body, because there are many of its kind. */
  isRare?: boolean;
};
type Source = { causes: Causes; reader: RequestReader; detail?: string };
/** The signatures of a request as one row reads them. */
type Case = { causes: Causes; scheme: Scheme; profile: SenderProfile };

/** Diagnoses a request whose signature does not verify. `others`: further rows that recognize it. */
export function diagnoseSender(
  profile: SenderProfile,
  request: DoctorRequest,
  secrets: readonly KnownSecret[],
  others: readonly SenderProfile[] = [],
): SignatureDiagnosis {
  const reader = readSenderRequest(request);
  const cases = listCases(profile, others, reader);
  const bodies = listBodies(request, reader);
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

type Effort = { tried: number; hashedBytes: number; isComplete: boolean };
type Found = { causes: Causes; details: string[] };
type Materials = {
  request: DoctorRequest;
  reader: RequestReader;
  secrets: readonly KnownSecret[];
  bodies: readonly Source[];
  effort: Effort;
};

const rightOf = <Of extends { causes: Causes }>(all: readonly Of[]) => all.filter(({ causes }) => causes.length === 0);
const wrongOf = <Of extends { causes: Causes }>(all: readonly Of[]) => all.filter(({ causes }) => causes.length > 0);

/** By the number of changes: what one change explains is found before what needs two. */
function searchCase(one: Case, { request, reader, secrets, bodies, effort }: Materials): Found | undefined {
  const { causes, scheme, profile } = one;
  const given = receivedBy(scheme, reader);
  const keys = listKeys(secrets, scheme, given.digests);
  if (keys.length === 0 || (given.digests.size === 0 && given.list.length === 0)) return undefined;
  const context = contextOf(scheme, reader, request);
  const contents = listContents(scheme, reader, request, context);
  const sources = scheme.alg === 'equals' ? bodies.slice(0, 1) : [...bodies, ...urlSources(scheme, request)];
  const common = wrongOf(contents)
    .filter(({ isRare }) => isRare !== true)
    .slice(0, maxPairedContents);
  const paired = wrongOf(keys).slice(0, maxPairedKeys);
  const [rightKeys, rightContents, rightSources] = [rightOf(keys), rightOf(contents), rightOf(sources)] as const;
  const rounds: [readonly Key[], readonly Content[], readonly Source[]][] = [
    [keys, rightContents, rightSources],
    [rightKeys, wrongOf(contents), rightSources],
    [rightKeys, rightContents, wrongOf(sources)],
    [paired, common, rightSources],
    [rightKeys, common, wrongOf(sources)],
    [paired, rightContents, wrongOf(sources)],
  ];
  const limit = scheme.key?.isPublic ? maxPublicTried : maxTried;
  // Another row is only tried as it is.
  for (const [someKeys, someContents, someSources] of causes.length > 0 ? rounds.slice(0, 1) : rounds) {
    for (const content of someContents) {
      for (const source of someSources) {
        for (const key of someKeys) {
          if (effort.tried >= limit || effort.hashedBytes > maxHashedBytes) {
            effort.isComplete = false;
            return undefined;
          }
          const text = source.reader.render(content.template, { ...context, ...content.context, secret: key.text });
          if ('missing' in text) break;
          effort.tried += 1;
          effort.hashedBytes += text.bytes.length;
          const form = matchOf(scheme, key, text.bytes, given);
          if (!form || !hasSameHash(scheme, source.reader)) continue;
          const all = [...causes, ...key.causes, ...content.causes, ...source.causes, ...form];
          return { causes: all, details: detailsOf(profile, causes, content, source) };
        }
      }
    }
  }
  return undefined;
}

/** What is wrong with the form of the signature that matches; undefined if none does. */
function matchOf(scheme: Scheme, key: Key, content: Buffer, given: Received): Causes | undefined {
  if (scheme.key?.isPublic)
    return given.list.some((one) => verifyPublic(scheme.alg, key.key, content, one)) ? [] : undefined;
  return given.digests.get(digestOf(key.alg, key.key, content).toString('base64'));
}

function detailsOf({ name }: SenderProfile, causes: Causes, content: Content, source: Source): string[] {
  return [
    ...(causes.includes('other-sender') ? [`It is signed as ${name} signs.`] : []),
    ...(content.causes.length > 0 && !content.context ? [`The signed text is ${content.template}.`] : []),
    ...(source.detail === undefined ? [] : [source.detail]),
  ];
}

/** The right scheme first, then the sender's others, then those of other senders. They are only reported, and nothing becomes valid by them. */
function listCases(profile: SenderProfile, others: readonly SenderProfile[], reader: RequestReader): Case[] {
  const own = signedSchemes(profile, reader);
  // A signature under another name is read as if it had the right one.
  const schemes = own.length > 0 ? own : profile.schemes.slice(-1);
  return [
    ...schemes.map((scheme): Case => ({ causes: [], scheme, profile })),
    ...profile.schemes
      .filter((scheme) => !schemes.includes(scheme) && signatureTexts(scheme, reader, undefined).length > 0)
      .map((scheme): Case => ({ causes: ['other-version'], scheme, profile })),
    ...others
      .filter(({ id }) => id !== profile.id)
      .flatMap((row) =>
        signedSchemes(row, reader).map((scheme): Case => ({ causes: ['other-sender'], scheme, profile: row })),
      ),
  ];
}

function firstItem({ each }: Scheme, reader: RequestReader): unknown {
  return each === undefined ? undefined : reader.items(each)?.[0];
}

type Received = { digests: Map<string, Causes>; list: Buffer[] };

/** What the signature may mean: hashes in base64 with what is wrong with their form, and signatures of a public key. */
function receivedBy(scheme: Scheme, reader: RequestReader): Received {
  const texts = signatureTexts(scheme, reader, firstItem(scheme, reader));
  const other = reader.request.headers.find(([name]) => /signature/i.test(name))?.[1];
  const base: Causes = texts.length === 0 ? ['other-headers'] : [];
  const [text = ''] = texts.length === 0 ? [other ?? ''] : texts;
  const { given, received } = readSignatures(scheme, texts.length === 0 ? [text] : texts);
  const digests = new Map<string, Causes>();
  const add = (bytes: Buffer, causes: Causes) => {
    const key = bytes.toString('base64');
    const known = digests.get(key);
    if (
      (scheme.alg === 'equals' || [20, 32, 48, 64].includes(bytes.length)) &&
      (!known || known.length > causes.length)
    )
      digests.set(key, causes);
  };
  for (const bytes of received) add(bytes, base);
  if (scheme.alg === 'equals') return { digests, list: [] };
  const { enc = 'hex' } = scheme;
  for (const one of given.slice(0, maxSignatures)) readForms(one, enc, base, add);
  for (const one of looseEntries(text)) {
    const isPrefixRight =
      given.length > 0 || (scheme.list !== undefined && text.includes(scheme.list.key + scheme.list.eq));
    readForms(one, enc, [...base, isPrefixRight ? 'signature-separator' : 'signature-version'], add);
  }
  return { digests, list: received };
}

function readForms(
  text: string,
  enc: Scheme['enc'],
  causes: Causes,
  add: (bytes: Buffer, causes: Causes) => void,
): void {
  const hex = decodeStrictly(text, 'hex');
  if (hex) add(hex, enc === 'hex' ? causes : [...causes, 'signature-hex']);
  if (!/^[\w+/-]+=*$/.test(text)) return;
  const bytes = Buffer.from(text, 'base64');
  const form: Causes = /[-_]/.test(text)
    ? ['signature-base64url']
    : enc === 'hex'
      ? ['signature-base64']
      : text.endsWith('=') || bytes.length % 3 === 0
        ? []
        : ['signature-padding'];
  add(bytes, [...causes, ...form]);
  const digits = decodeStrictly(bytes.toString('latin1'), 'hex');
  if (digits) add(digits, [...causes, 'digits-of-base64']);
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

const digestNames = new Map([
  [20, 'hmac-sha1'],
  [32, 'hmac-sha256'],
  [48, 'hmac-sha384'],
  [64, 'hmac-sha512'],
] as const);

function listKeys(secrets: readonly KnownSecret[], scheme: Scheme, given: ReadonlyMap<string, Causes>): Key[] {
  const keys: Key[] = [];
  const seen = new Set<string>();
  const { alg = 'hmac-sha256' } = scheme;
  const isPublic = scheme.key?.isPublic === true;
  const add = (causes: Causes, bytes: Buffer | undefined, other: Key['alg'] = alg) => {
    const name = `${other} ${bytes?.toString('latin1')}`;
    const key = bytes && bytes.length > 0 && !seen.has(name) ? makeKey(bytes, isPublic ? alg : undefined) : undefined;
    seen.add(name);
    if (key) keys.push({ causes, key, alg: other, text: bytes?.toString() ?? '' });
  };
  const usable = secrets.filter(({ secret }) => isPublic || !secret.startsWith('whpk_')).slice(0, maxSecrets);
  const originCauses = {
    current: [],
    previous: ['previous-secret'],
    'other-endpoint': ['other-endpoint'],
    'other-connection': ['other-connection'],
  } as const;
  for (const { secret, origin } of usable) {
    if (origin === 'client') add(['client-secret'], Buffer.from(secret));
    else if (origin !== 'other-connection') add(originCauses[origin], keyBytes(scheme, secret));
  }
  for (const { secret } of usable.filter(({ origin }) => origin === 'current')) {
    addKeyVariants(scheme, secret, add);
    const lengths = new Set([...given.keys()].map((text) => Buffer.byteLength(text, 'base64')));
    for (const [length, name] of alg.startsWith('hmac-') ? digestNames : [])
      if (lengths.has(length)) add(['wrong-algorithm'], keyBytes(scheme, secret), name);
  }
  for (const { secret, origin } of usable)
    if (origin === 'other-connection') add(['other-connection'], keyBytes(scheme, secret));
  return keys;
}

function addKeyVariants(
  scheme: Scheme,
  secret: string,
  add: (causes: Causes, bytes: Buffer | undefined) => void,
): void {
  const clean = secret
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim();
  const bare = clean.replace(/^[a-z]{2,8}_/, '');
  if (clean !== secret) add(['secret-trimmed'], keyBytes(scheme, clean));
  if (scheme.key?.isPublic)
    return add(['secret-trimmed'], Buffer.from(clean.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64'));
  const isText = scheme.key?.enc === undefined;
  for (const text of [clean, bare]) {
    add([isText ? 'secret-prefix' : 'secret-not-decoded'], Buffer.from(text));
    add(['secret-newline'], Buffer.from(`${text}\n`));
    add(['secret-hex'], decodeStrictly(text, 'hex'));
  }
  add([isText || scheme.key?.enc === 'hex' ? 'secret-decoded' : 'prefix-not-removed'], Buffer.from(bare, 'base64'));
  add(['prefix-not-removed'], Buffer.from(secret, 'base64'));
  const decoded = decodeStrictly(bare, 'base64');
  if (decoded) add(['secret-decoded'], Buffer.from(decoded.toString().trim()));
  const right = keyBytes(scheme, secret);
  if (right) add(['secret-newline'], Buffer.concat([right, Buffer.from('\n')]));
}

function keyBytes({ key = {} }: Scheme, secret: string): Buffer | undefined {
  const { enc = 'text', strip = [] } = key;
  const found = strip.find((one) => secret.startsWith(one)) ?? '';
  return enc === 'text' ? Buffer.from(secret) : decodeStrictly(secret.slice(found.length).trim(), enc);
}

function contextOf(scheme: Scheme, reader: RequestReader, { headers }: SenderRequest): TemplateContext {
  const item = firstItem(scheme, reader);
  const { list } = readSignatures(scheme, signatureTexts(scheme, reader, item));
  const time = scheme.timestamp && readTime(scheme.timestamp, reader, list)?.text;
  const named = headers.find(([name]) => /(^|-)timestamp$/i.test(name))?.[1];
  return { item, list, time: time ?? named };
}

const zoneSteps = Array.from({ length: 4 * 28 + 1 }, (_, index) => (index - 4 * 14) * 900).filter((step) => step !== 0);
const nearSeconds = Array.from({ length: 21 }, (_, index) => index - 10).filter((step) => step !== 0);
const separators = ['', ':', '\n', '|', '-', ',', ' ', '.'];

/** The right text, then the usual other ones of the values at hand. */
function listContents(
  scheme: Scheme,
  reader: RequestReader,
  request: DoctorRequest,
  context: TemplateContext,
): Content[] {
  if (scheme.alg === 'equals') return [{ causes: [], template: '' }];
  const contents: Content[] = [];
  const seen = new Set<string>();
  const own = contentsOf(scheme);
  const add = (template: string, causes: Causes, more: Pick<Content, 'context' | 'isRare'> = {}) => {
    const name = `${template}\n${more.context?.time ?? ''}`;
    if (!seen.has(name)) contents.push({ template, causes, ...more });
    seen.add(name);
  };
  const [first = '{body}'] = own;
  const { time } = context;
  for (const template of own)
    add(template, scheme.timestamp?.unit === 's' && isMilliseconds(time) ? ['milliseconds'] : []);
  const id = /\{header:[a-z-]*id\}/.exec(first)?.[0];
  if (first.includes('{time}') && time !== undefined) {
    for (const other of otherUnits(time)) add(first, ['milliseconds'], { context: { time: other } });
  }
  for (const template of otherTexts(first, id, time !== undefined)) add(template, causeOf(template, first));
  if (id !== undefined) add(first.replace(id, ''), ['id-missing']);
  const bodyHash = createHash('sha256').update(request.body).digest('base64');
  if (first.includes('{body}')) add(first.replace('{body}', bodyHash), ['body-hashed']);
  const bodyId = reader.read('json:id');
  if (id !== undefined && bodyId !== undefined && /^[\w.-]{1,200}$/.test(bodyId))
    add(first.replace(id, bodyId), ['id-from-body']);
  if (first.includes('{time}') && time !== undefined)
    addTimes(time, request, (other, cause) => {
      add(first, [cause], { context: { time: other }, isRare: true });
    });
  return contents;
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
    ...ordersOf([...values, '{body}']).flatMap((order) => separators.map((separator) => order.join(separator))),
    right.replace('{body}', '{sha256hex:body}'),
    ...(hasTime ? ['v0:{time}:{body}'] : []),
    '{url}{body}',
    '{body}{url}',
  ];
}

function addTimes(
  time: string,
  { earlierTimestamps = [] }: DoctorRequest,
  add: (time: string, cause: SignatureCauseId) => void,
): void {
  for (const other of earlierTimestamps.slice(0, 50)) add(other, 'earlier-attempt');
  if (!/^\d{9,11}$/.test(time)) return;
  for (const step of nearSeconds) add(String(Number(time) + step), 'timestamp-changed');
  for (const step of zoneSteps) add(String(Number(time) + step), 'timestamp-zone');
}

function isMilliseconds(time: string | undefined): boolean {
  return time !== undefined && /^\d{13}$/.test(time);
}

function otherUnits(time: string): string[] {
  if (!isMilliseconds(time)) return [`${time}000`];
  return [time.slice(0, 10), String(Math.round(Number(time) / 1000))];
}

function ordersOf(values: readonly string[]): string[][] {
  if (values.length < 2) return [[...values]];
  return values.flatMap((value, index) => ordersOf(values.toSpliced(index, 1)).map((rest) => [value, ...rest]));
}

/** How one text differs from the right one. */
function causeOf(template: string, right: string): Causes {
  const tokens = (text: string): string[] => text.match(/\{[^}]+\}/g) ?? [];
  const [given, wanted] = [tokens(template), tokens(right)];
  const lacks = (token: string | undefined) => token !== undefined && wanted.includes(token) && !given.includes(token);
  if (given.includes('{sha256hex:body}')) return ['body-hashed'];
  if (given.join() === wanted.join()) return ['wrong-separator'];
  if (given.toSorted().join() === wanted.toSorted().join()) return ['wrong-order'];
  if (given.length === 1 && given[0] === '{body}' && wanted.length > 1) return ['body-only'];
  if (lacks('{body}')) return ['body-missing'];
  if (lacks('{time}')) return ['timestamp-missing'];
  return [lacks(wanted.find((token) => token.startsWith('{header:'))) ? 'id-missing' : 'other-text'];
}

/** The request as received, then with another body. */
function listBodies(request: DoctorRequest, reader: RequestReader): Source[] {
  return listBodyVariants(request.body, request.decodedBody).map(({ cause, bytes }) =>
    cause === null
      ? { causes: [], reader }
      : { causes: [cause], reader: readSenderRequest({ ...request, body: bytes }) },
  );
}

function urlSources(scheme: Scheme, request: DoctorRequest): Source[] {
  if (!contentsOf(scheme).some((content) => content.includes('{url'))) return [];
  return listUrls(request).map((url) => ({
    causes: ['url-changed'],
    reader: readSenderRequest({ ...request, url }),
    detail: `The signed URL is ${url}`,
  }));
}

const apiKeys = /^(sk_|pk_|rk_|xox[abp]-|shpat_|ghp_|glpat-|whsk_)/;

/** Sentences. None of these is proven. */
function listGuesses(
  scheme: Scheme | undefined,
  { headers, body }: SenderRequest,
  secrets: readonly KnownSecret[],
): string[] {
  const guesses: string[] = [];
  const names = headers.map(([name]) => name.toLowerCase()).filter((name) => name.includes('signature'));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) guesses.push(`The header ${twice} appears twice: a proxy may have added its own.`);
  const key = secrets.find(({ secret, origin }) => origin === 'current' && apiKeys.test(secret))?.secret;
  if (key !== undefined)
    guesses.push(
      `The stored secret begins with ${apiKeys.exec(key)?.[0] ?? ''}: it may be an API key instead of the secret.`,
    );
  if (secrets.some(({ secret }) => secret.includes('-----BEGIN')) && !scheme?.key?.isPublic)
    guesses.push('The stored secret is a PEM file, which this sender does not use.');
  const numbers = body.length > 1024 * 1024 ? [] : (body.toString('latin1').match(/(?<![\w.])\d{16,}(?![\w.])/g) ?? []);
  if (numbers.some((digits) => Number(digits) > Number.MAX_SAFE_INTEGER))
    guesses.push('The body has an integer above 2^53: a program that parses and rewrites JSON may have rounded it.');
  return guesses;
}
