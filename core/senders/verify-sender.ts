// Verifies a request by a sender's row. Strict: the first scheme whose signature is present decides, values are decoded only if they
// are well-formed, zero items are not valid, and the time is that of arrival.
import {
  createHash,
  createHmac,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { parseTimestamp } from '@rainbell/shared';
import type { Encoding, Ref, Scheme, SenderProfile, Timestamp } from './sender-profile.ts';
import { readSenderRequest, type RequestReader, type SenderRequest, type TemplateContext } from './sender-request.ts';

export type SenderVerdict =
  /** `proven`: for instance “body and time”. `secretIndex`: which of the secrets verifies it. */
  | { state: 'verified'; proven: string; secretIndex: number }
  /** The signature is right. */
  | { state: 'stale'; ageSeconds: number; tolerance: number; secretIndex: number }
  /** `isMalformed`: no secret could verify it. `reason` is a sentence. */
  | { state: 'invalid'; reason: string; isMalformed: boolean }
  | { state: 'unsigned' }
  /** No stored secret can be used with its scheme. */
  | { state: 'no-secret'; isUnusable: boolean }
  /** `reason` is a sentence. */
  | { state: 'unchecked'; reason: string };

/** `receivedAt`: in epoch milliseconds. */
export function verifySender(
  profile: SenderProfile,
  request: SenderRequest,
  { secrets, receivedAt }: { secrets: readonly string[]; receivedAt: number },
): SenderVerdict {
  const reader = readSenderRequest(request);
  const found = signedSchemes(profile, reader);
  if (found.length === 0) return { state: 'unsigned' };
  const verdicts = found.map((scheme) => verifyScheme(scheme, reader, { secrets, receivedAt }));
  for (const state of ['verified', 'stale', 'invalid', 'no-secret', 'unchecked'] as const) {
    const verdict = verdicts.find((one) => one.state === state);
    if (verdict) return verdict;
  }
  return { state: 'unsigned' };
}

/** The first scheme whose signature is present, and its peers. */
export function signedSchemes({ schemes }: SenderProfile, reader: RequestReader): Scheme[] {
  const first = schemes.findIndex((scheme) => isSigned(scheme, reader));
  if (first < 0) return [];
  return schemes.filter(
    (scheme, index) => index === first || (scheme.isPeer && schemes[first]?.isPeer && isSigned(scheme, reader)),
  );
}

function isSigned(scheme: Scheme, reader: RequestReader): boolean {
  if (scheme.when !== undefined && !reader.fits(scheme.when)) return false;
  if (scheme.each !== undefined) return (reader.items(scheme.each) ?? []).length > 0;
  return signatureTexts(scheme, reader, undefined).length > 0;
}

type Given = { secrets: readonly string[]; receivedAt: number };

function verifyScheme(scheme: Scheme, reader: RequestReader, given: Given): SenderVerdict {
  if (scheme.alg === 'external')
    return { state: 'unchecked', reason: 'The key must be fetched from the sender, which Rainbell doesn’t do.' };
  const items = scheme.each === undefined ? [undefined] : (reader.items(scheme.each) ?? []);
  const verdicts = items.map((item) => verifyItem(scheme, reader, item, given));
  return verdicts.find(({ state }) => state !== 'verified') ?? verdicts[0] ?? { state: 'unsigned' };
}

function verifyItem(scheme: Scheme, reader: RequestReader, item: unknown, given: Given): SenderVerdict {
  const texts = signatureTexts(scheme, reader, item);
  if (texts.every((text) => text === '')) return { state: 'unsigned' };
  const { received, list, skipped } = readSignatures(scheme, texts);
  if (received.length === 0) {
    // A list may have entries of a peer only.
    return skipped.length > 0 && scheme.isPeer
      ? { state: 'unchecked', reason: `It is signed with an unknown scheme: ${skipped.slice(0, 5).join(', ')}.` }
      : malformed('The signature is not written as this sender writes it.');
  }
  const time = scheme.timestamp && readTime(scheme.timestamp, reader, list);
  if (time?.at === null) return malformed('The timestamp is not a time.');
  const usable = given.secrets.flatMap((secret, secretIndex) =>
    isUsable(scheme, secret) ? [{ secret, secretIndex }] : [],
  );
  if (usable.length === 0) return { state: 'no-secret', isUnusable: given.secrets.length > 0 };
  if (!hasSameHash(scheme, reader))
    return { state: 'invalid', reason: 'The body does not have the hash that is signed.', isMalformed: false };
  const matched = findMatch(scheme, reader, usable, { context: { item, list, time: time?.text }, received });
  if (typeof matched !== 'number') return matched;
  const late = time && lateness(scheme.timestamp, time.at ?? 0, given.receivedAt);
  if (late) return { state: 'stale', ...late, secretIndex: matched };
  return { state: 'verified', proven: provenBy(scheme, time?.ref), secretIndex: matched };
}

/** The index of the secret that verifies the signature, or why there is none. */
function findMatch(
  scheme: Scheme,
  reader: RequestReader,
  usable: readonly { secret: string; secretIndex: number }[],
  { context, received }: { context: TemplateContext; received: readonly Buffer[] },
): number | SenderVerdict {
  for (const { secret, secretIndex } of usable) {
    for (const template of contentsOf(scheme)) {
      const content = reader.render(template, { ...context, secret });
      if ('missing' in content)
        return malformed(`The signature covers ${nameOf(content.missing, scheme)}, which is missing.`);
      if (isMatch(scheme, secret, content.bytes, received)) return secretIndex;
    }
  }
  return { state: 'invalid', reason: 'No stored secret verifies the signature.', isMalformed: false };
}

/** The two texts of `also`. */
export function hasSameHash({ also }: Scheme, reader: RequestReader): boolean {
  if (!also) return true;
  const [left, right] = also.map((template) => reader.render(template));
  return (
    left !== undefined && right !== undefined && 'bytes' in left && 'bytes' in right && left.bytes.equals(right.bytes)
  );
}

function malformed(reason: string): SenderVerdict {
  return { state: 'invalid', reason, isMalformed: true };
}

/** The received values, undecoded; a header that is there and empty counts. */
export function signatureTexts({ sig }: Scheme, reader: RequestReader, item: unknown): string[] {
  for (const ref of sig) {
    if (ref.endsWith('-*')) {
      const start = ref.slice('header:'.length, -1);
      const numbered = reader.request.headers.filter(([name]) => {
        const lower = name.toLowerCase();
        return lower.startsWith(start) && /^\d{1,3}$/.test(lower.slice(start.length));
      });
      if (numbered.length > 0) return numbered.map(([, value]) => value).slice(0, 100);
    } else {
      const text = reader.read(ref, { item });
      if (text !== undefined) return [text];
    }
  }
  return [];
}

export type ReceivedSignatures = {
  /** As texts, and decoded if that is possible. */
  given: string[];
  received: Buffer[];
  list: Map<string, string>;
  skipped: string[];
};

/** More entries are not checked. */
const maxEntries = 100;
/** A public key costs about 100 µs. */
const maxPublicEntries = 4;

export function readSignatures(scheme: Scheme, texts: readonly string[]): ReceivedSignatures {
  const { prefix = '', list, enc = 'hex' } = scheme;
  const parsed = list ? parseList(texts[0] ?? '', list) : undefined;
  const given = parsed
    ? parsed.given
    : texts.flatMap((text) =>
        text.slice(0, prefix.length).toLowerCase() === prefix ? [text.slice(prefix.length)] : [],
      );
  const limit = scheme.key?.isPublic ? maxPublicEntries : maxEntries;
  return {
    given,
    received: given.slice(0, limit).flatMap((text) => decodeStrictly(text, enc, scheme.isExact) ?? []),
    list: parsed?.values ?? new Map(),
    skipped: parsed?.isWellFormed && given.length === 0 ? parsed.skipped : [],
  };
}

type List = { given: string[]; values: Map<string, string>; skipped: string[]; isWellFormed: boolean };

function parseList(text: string, { sep, eq, key }: NonNullable<Scheme['list']>): List {
  const values = new Map<string, string>();
  const given: string[] = [];
  const skipped = new Set<string>();
  let isWellFormed = true;
  for (const part of text.split(new RegExp(`[${sep}]`)).slice(0, maxEntries)) {
    const entry = sep === ' ' ? part : part.trim();
    const index = entry.indexOf(eq);
    const name = entry.slice(0, Math.max(index, 0));
    if (!/^[a-z]+\d*[a-z]*$/i.test(name) || index === entry.length - 1) {
      isWellFormed = false;
      continue;
    }
    const value = entry.slice(index + 1);
    if (name === key) given.push(value);
    else skipped.add(name.slice(0, 20));
    if (!values.has(name)) values.set(name, value);
  }
  return { given, values, skipped: [...skipped], isWellFormed };
}

/** Undefined unless the whole text is well-formed; Buffer.from would stop at the first bad character, or skip it. */
export function decodeStrictly(text: string, enc: Encoding, isExact = false): Buffer | undefined {
  if (enc === 'text') return Buffer.from(text, 'latin1');
  if (enc === 'hex') return /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
  const bytes = Buffer.from(text, 'base64');
  const written = bytes.toString('base64');
  const isSame = text === written || (!isExact && text === written.replace(/=+$/, ''));
  return bytes.length > 0 && isSame ? bytes : undefined;
}

export function contentsOf({ content = '{body}' }: Scheme): readonly string[] {
  return typeof content === 'string' ? [content] : content;
}

/** `at` in epoch milliseconds; null if the text is not a time, undefined if there is none. */
export function readTime(
  { at, unit }: Timestamp,
  reader: RequestReader,
  list: ReadonlyMap<string, string>,
): { ref: Ref; text: string; at: number | null } | undefined {
  const ref = at.find((one) => reader.read(one, { list }) !== undefined);
  if (ref === undefined) return undefined;
  const text = reader.read(ref, { list }) ?? '';
  if (unit === 'iso') return { ref, text, at: parseTimestamp(text) ?? null };
  const isTime = unit === 's' ? /^\d{1,12}$/.test(text) : /^\d{1,15}$/.test(text);
  return { ref, text, at: isTime ? Number(text) * (unit === 's' ? 1000 : 1) : null };
}

/** As a sentence names a token. */
function nameOf(token: string, { timestamp }: Scheme): string {
  const ref = token === 'time' ? (timestamp?.at[0] ?? 'time') : token;
  return ref.replace(/^sig:/, 'the entry ').replace(/^[a-z]+:/, '');
}

function lateness(
  { tolerance = null, isPastOnly }: Partial<Timestamp> = {},
  at: number,
  receivedAt: number,
): { ageSeconds: number; tolerance: number } | undefined {
  if (tolerance === null) return undefined;
  const ageSeconds = Math.round(receivedAt / 1000) - Math.floor(at / 1000);
  const isLate = ageSeconds > tolerance || (isPastOnly !== true && ageSeconds < -tolerance);
  return isLate ? { ageSeconds, tolerance } : undefined;
}

/** A text that names what a forger could not have changed. */
function provenBy(scheme: Scheme, time: Ref | undefined): string {
  if (scheme.proves !== undefined) return scheme.proves;
  if (scheme.alg === 'equals') return 'token only';
  const content = contentsOf(scheme)[0] ?? '';
  const parts = [
    ...(content.includes('{url') ? ['URL'] : []),
    ...(/\{body\}|:body\}|\{form:/.test(content) || scheme.also ? ['body'] : []),
    ...(time !== undefined && (content.includes('{time}') || time.startsWith('json:')) ? ['time'] : []),
  ];
  return parts.length > 2 ? `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}` : parts.join(' and ');
}

function isUsable(scheme: Scheme, secret: string): boolean {
  if (scheme.forSecret === undefined && scheme.isPeer && secret.startsWith('whpk_')) return false;
  if (scheme.forSecret !== undefined && !secret.startsWith(scheme.forSecret)) return false;
  return keyFor(scheme, secret) !== undefined;
}

/** Making a key costs several times as much as a signature. */
const keys = new Map<string, KeyObject | undefined>();
const maxKeys = 100;

function keyFor(scheme: Scheme, secret: string): KeyObject | undefined {
  const { enc = 'text', strip = [], isPublic } = scheme.key ?? {};
  const name = `${scheme.alg ?? ''} ${enc} ${strip.join()} ${secret}`;
  if (keys.has(name)) return keys.get(name);
  if (keys.size >= maxKeys) keys.clear();
  const found = strip.find((one) => secret.startsWith(one)) ?? '';
  // White space around a key in digits or base64 is harmless; around a text, it is part of the key.
  const bare = enc === 'text' ? secret : secret.slice(found.length).trim();
  const bytes = enc === 'text' ? Buffer.from(bare) : decodeStrictly(bare, enc);
  const key = bytes && bytes.length > 0 ? makeKey(bytes, isPublic ? scheme.alg : undefined) : undefined;
  keys.set(name, key);
  return key;
}

export function makeKey(bytes: Buffer, alg: Scheme['alg']): KeyObject | undefined {
  try {
    if (alg === 'ed25519')
      return bytes.length === 32
        ? createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' })
        : undefined;
    if (alg === 'ecdsa-sha256') return createPublicKey({ key: bytes, format: 'der', type: 'spki' });
    return createSecretKey(bytes);
  } catch {
    return undefined;
  }
}

function isMatch(scheme: Scheme, secret: string, content: Buffer, received: readonly Buffer[]): boolean {
  const key = keyFor(scheme, secret);
  if (!key) return false;
  const { alg = 'hmac-sha256' } = scheme;
  if (alg === 'ed25519' || alg === 'ecdsa-sha256') return received.some((one) => verifyPublic(alg, key, content, one));
  const expected = digestOf(alg, key, content);
  return received.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}

export function verifyPublic(alg: Scheme['alg'], key: KeyObject, content: Buffer, signature: Buffer): boolean {
  if (alg === 'ed25519') return signature.length === 64 && verify(null, content, key, signature);
  return verify('sha256', content, key, signature);
}

/** Of `equals`, the secret itself. */
export function digestOf(alg: NonNullable<Scheme['alg']>, key: KeyObject, content: Buffer): Buffer {
  if (alg === 'equals') return key.export();
  if (alg.startsWith('hmac-')) return createHmac(alg.slice('hmac-'.length), key).update(content).digest();
  return createHash(alg).update(content).digest();
}

/** The first row that recognizes the request; the order of the rows matters. */
export function recognizeSender(profiles: readonly SenderProfile[], reader: RequestReader): SenderProfile | undefined {
  return profiles.find(({ match }) => reader.fits(match));
}

/** The event's ID and type, as a list shows them. */
export function describeEvent(
  { eventId = [], eventType = [] }: SenderProfile,
  reader: RequestReader,
): { eventId: string | null; eventType: string | null } {
  const first = (refs: readonly string[]) =>
    refs
      .map((ref) => {
        const [head = '', ...more] = ref.split('+').map((one) => reader.read(one));
        return head === '' ? undefined : [head, ...more.filter((one) => one !== undefined)].join('.');
      })
      .find((one) => one !== undefined);
  return { eventId: first(eventId) ?? null, eventType: first(eventType)?.slice(0, 200) ?? null };
}
