// Verifies a request by a sender's row. Strict: the first scheme whose signature is present decides, values are decoded only if they
// are well-formed, zero items are not valid, and the time is that of arrival.
import { createHash, createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { parseTimestamp } from '@rainbell/shared';
import type { Algorithm, Encoding, Ref, Scheme, SenderProfile, Timestamp } from './sender-profile.ts';
import { readSenderRequest, type RequestReader, type SenderRequest, type TemplateContext } from './sender-request.ts';

export type SenderVerdict =
  /** `proven`: for instance “body and time”. `secretIndex`: which of the secrets verifies it. */
  | { state: 'verified'; proven: string; secretIndex: number }
  /** The signature is right. */
  | { state: 'stale'; ageSeconds: number; tolerance: number; proven: string; secretIndex: number }
  /** `isMalformed`: no secret could verify it. `reason` is a sentence. */
  | { state: 'invalid'; reason: string; isMalformed: boolean }
  | { state: 'unsigned' }
  /** No stored secret can be used with its scheme. */
  | { state: 'no-secret'; isUnusable: boolean }
  /** `reason` is a sentence. */
  | { state: 'unchecked'; reason: string };

/** If several schemes are peers, the first state that applies to one of them counts. */
const states = ['verified', 'stale', 'invalid', 'no-secret', 'unchecked'] as const;

/** `receivedAt`: in epoch milliseconds. */
type Given = { secrets: readonly string[]; receivedAt: number };

export function verifySender(profile: SenderProfile, request: SenderRequest, given: Given): SenderVerdict {
  const reader = readSenderRequest(request);
  const verdicts = signedSchemes(profile, reader).map((scheme) => verifyScheme(scheme, reader, given));
  const found = states.map((state) => verdicts.find((one) => one.state === state)).find((one) => one !== undefined);
  return found ?? { state: 'unsigned' };
}

/** The first scheme whose signature is present, and its peers. */
export function signedSchemes({ schemes }: SenderProfile, reader: RequestReader): Scheme[] {
  const isSigned = (scheme: Scheme) =>
    (scheme.when === undefined || reader.fits(scheme.when)) &&
    (scheme.each === undefined ? signatureTexts(scheme, reader) : reader.items(scheme.each)).length > 0;
  const first = schemes.find(isSigned);
  return schemes.filter((scheme) => scheme === first || (first?.isPeer && scheme.isPeer && isSigned(scheme)));
}

function verifyScheme(scheme: Scheme, reader: RequestReader, given: Given): SenderVerdict {
  if (scheme.alg === 'external')
    return { state: 'unchecked', reason: 'The key must be fetched from the sender, which Rainbell doesn’t do.' };
  const verdicts = itemsOf(scheme, reader).map((item) => verifyItem(scheme, reader, item, given));
  return verdicts.find(({ state }) => state !== 'verified') ?? verdicts[0] ?? { state: 'unsigned' };
}

/** One undefined item for a scheme without items. */
export function itemsOf({ each }: Scheme, reader: RequestReader): readonly unknown[] {
  return each === undefined ? [undefined] : reader.items(each);
}

function verifyItem(scheme: Scheme, reader: RequestReader, item: unknown, given: Given): SenderVerdict {
  const signed = readSigned(scheme, reader, item);
  const { texts, received, otherKeys, time, context } = signed;
  if (texts.every((text) => text === '')) return { state: 'unsigned' };
  // A list may have entries of a peer only.
  if (received.length === 0 && scheme.isPeer && otherKeys.length > 0)
    return { state: 'unchecked', reason: `It is signed with an unknown scheme: ${otherKeys.slice(0, 5).join(', ')}.` };
  if (received.length === 0) return malformed('The signature is not written as this sender writes it.');
  if (time?.at === null) return malformed('The timestamp is not a time.');
  const keys = given.secrets.map((secret) => keyOf(scheme, secret));
  if (keys.every((key) => key === undefined)) return { state: 'no-secret', isUnusable: given.secrets.length > 0 };
  if (!hasSameHash(scheme, reader))
    return { state: 'invalid', reason: 'The body does not have the hash that is signed.', isMalformed: false };
  for (const [secretIndex, key] of keys.entries()) {
    for (const template of key ? contentsOf(scheme) : []) {
      const content = reader.render(template, { ...context, secret: given.secrets[secretIndex] });
      if ('missing' in content)
        return malformed(`The signature covers ${nameOf(content.missing, scheme)}, which is missing.`);
      if (key && isSignedBy(scheme.alg, key, content.bytes, received)) {
        const late = time && lateness(scheme.timestamp, time.at ?? 0, given.receivedAt);
        const proof = { proven: provenBy(scheme, time?.ref), secretIndex };
        return late ? { state: 'stale', ...late, ...proof } : { state: 'verified', ...proof };
      }
    }
  }
  return { state: 'invalid', reason: 'No stored secret verifies the signature.', isMalformed: false };
}

function malformed(reason: string): SenderVerdict {
  return { state: 'invalid', reason, isMalformed: true };
}

/** The two texts of `also`. */
export function hasSameHash({ also }: Scheme, reader: RequestReader): boolean {
  const [left, right] = (also ?? []).map((template) => reader.render(template));
  return (
    left === right || Boolean(left && right && 'bytes' in left && 'bytes' in right && left.bytes.equals(right.bytes))
  );
}

/** The received values, undecoded; a header that is there and empty counts. */
export function signatureTexts({ sig }: Scheme, reader: RequestReader, item?: unknown): string[] {
  const textsOf = (ref: Ref) => {
    const numbered = ref.endsWith('-*') ? ref.slice('header:'.length, -1) : undefined;
    if (numbered === undefined) return [reader.read(ref, { item })].filter((text) => text !== undefined);
    const isNumbered = ([name]: readonly [string, string]) =>
      name.toLowerCase().startsWith(numbered) && /^\d{1,3}$/.test(name.slice(numbered.length));
    return reader.request.headers.filter(isNumbered).map(([, value]) => value);
  };
  return sig.map(textsOf).find((texts) => texts.length > 0) ?? [];
}

export type Signed = ReturnType<typeof readSigned>;

const maxEntries = 100;
/** A public key costs about 100 µs. */
const maxPublicEntries = 4;

/** What a scheme finds in a request. */
export function readSigned(
  scheme: Scheme,
  reader: RequestReader,
  item: unknown,
  texts = signatureTexts(scheme, reader, item),
) {
  const { prefix = '', list: form, enc = 'hex', timestamp } = scheme;
  const entries = form ? parseList(texts[0] ?? '', form) : [];
  const isPrefixed = (text: string) => text.slice(0, prefix.length).toLowerCase() === prefix;
  const given = form
    ? entries.filter(([name]) => name === form.key).map(([, value]) => value)
    : texts.filter(isPrefixed).map((text) => text.slice(prefix.length));
  const names = new Set(entries.map(([name]) => name));
  const list = new Map(entries.toReversed());
  const ref = timestamp?.at.find((one) => reader.read(one, { list }) !== undefined);
  const text = ref && (reader.read(ref, { list }) ?? '');
  return {
    texts,
    /** The signatures as texts, and decoded if they are well-formed. */
    given,
    received: given
      .slice(0, isPublic(scheme) ? maxPublicEntries : maxEntries)
      .flatMap((one) => decodeStrictly(one, enc, scheme.isExact) ?? []),
    /** The names in a well-formed list without signatures of the scheme. */
    otherKeys: given.length > 0 || names.has('') ? [] : [...names],
    /** `at` in epoch milliseconds; null if the text is not a time. */
    time: timestamp && ref && text !== undefined ? { ref, text, at: timeIn(text, timestamp.unit) } : undefined,
    context: { item, list, time: text } satisfies TemplateContext,
  };
}

/** A malformed entry has an empty name. */
function parseList(text: string, { sep, eq }: NonNullable<Scheme['list']>): [string, string][] {
  const entry = new RegExp(`^([a-z]+\\d*[a-z]*)${eq}(.+)$`, 'is');
  return text
    .split(new RegExp(`[${sep}]`))
    .slice(0, maxEntries)
    .map((part) => {
      const [, name = '', value = ''] = entry.exec(sep === ' ' ? part : part.trim()) ?? [];
      return [name.slice(0, 20), value];
    });
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

function timeIn(text: string, unit: Timestamp['unit']): number | null {
  if (unit === 'iso') return parseTimestamp(text) ?? null;
  const isTime = unit === 's' ? /^\d{1,12}$/.test(text) : /^\d{1,15}$/.test(text);
  return isTime ? Number(text) * (unit === 's' ? 1000 : 1) : null;
}

function nameOf(token: string, { timestamp }: Scheme): string {
  const ref = token === 'time' ? (timestamp?.at[0] ?? 'time') : token;
  return ref.replace(/^sig:/, 'the entry ').replace(/^[a-z]+:/, '');
}

function lateness({ tolerance = null, isPastOnly }: Partial<Timestamp> = {}, at: number, receivedAt: number) {
  const ageSeconds = Math.round(receivedAt / 1000) - Math.floor(at / 1000);
  const off = isPastOnly ? ageSeconds : Math.abs(ageSeconds);
  return tolerance !== null && off > tolerance ? { ageSeconds, tolerance } : undefined;
}

/** A text that names what a forger could not have changed. */
function provenBy(scheme: Scheme, time: Ref | undefined): string {
  if (scheme.proves !== undefined) return scheme.proves;
  if (scheme.alg === 'equals') return 'token only';
  const content = contentsOf(scheme)[0] ?? '';
  const isTimeSigned = time !== undefined && (content.includes('{time}') || time.startsWith('json:'));
  const parts = [
    ...(content.includes('{url') ? ['URL'] : []),
    ...(/\{body\}|:body\}|\{form:/.test(content) || scheme.also ? ['body'] : []),
    ...(isTimeSigned ? ['time'] : []),
  ];
  return parts.length > 2 ? `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}` : parts.join(' and ');
}

export type Key = Buffer | KeyObject;

/** Undefined if the secret does not have the form that the scheme uses. */
export function keyOf(scheme: Scheme, secret: string): Key | undefined {
  const { forSecret = '', key: { enc = 'text', strip = [] } = {} } = scheme;
  if (!secret.startsWith(forSecret)) return undefined;
  if (enc === 'text') return makeKey(scheme, Buffer.from(secret));
  // White space around a key in digits or base64 is harmless; around a text, it is part of the key.
  const prefix = strip.find((one) => secret.startsWith(one)) ?? '';
  return makeKey(scheme, decodeStrictly(secret.slice(prefix.length).trim(), enc));
}

export function makeKey({ alg }: Scheme, bytes: Buffer | undefined): Key | undefined {
  if (!bytes || bytes.length === 0) return undefined;
  try {
    if (alg === 'ecdsa-sha256') return createPublicKey({ key: bytes, format: 'der', type: 'spki' });
    if (alg !== 'ed25519') return bytes;
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
    return bytes.length === 32 ? createPublicKey({ key: jwk, format: 'jwk' }) : undefined;
  } catch {
    return undefined;
  }
}

export function isPublic({ alg }: { alg?: Algorithm | undefined }): boolean {
  return alg === 'ed25519' || alg === 'ecdsa-sha256';
}

export function isSignedBy(
  alg: Algorithm | undefined,
  key: Key,
  content: Buffer,
  received: readonly Buffer[],
): boolean {
  if (isPublic({ alg })) return received.some((one) => verify(alg === 'ed25519' ? null : 'sha256', content, key, one));
  const expected = digestOf(alg, key, content);
  return received.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}

/** Returns the digest, or for `equals` the secret itself. */
export function digestOf(alg: Algorithm = 'hmac-sha256', key: Key, content: Buffer): Buffer {
  if (alg === 'equals' && Buffer.isBuffer(key)) return key;
  return alg.startsWith('hmac-')
    ? createHmac(alg.slice('hmac-'.length), key).update(content).digest()
    : createHash(alg).update(content).digest();
}

/** The first row that recognizes the request; the order of the rows matters. */
export function recognizeSender(profiles: readonly SenderProfile[], reader: RequestReader): SenderProfile | undefined {
  return profiles.find(({ match }) => reader.fits(match));
}

/** The event's type, as a list shows it; null if the request names none. */
export function eventTypeOf({ eventType = [] }: SenderProfile, reader: RequestReader): string | null {
  const texts = eventType.map((refs) => {
    const [head = '', ...more] = refs.split('+').map((one) => reader.read(one));
    return head === '' ? undefined : [head, ...more.filter((one) => one !== undefined)].join('.');
  });
  return texts.find((text) => text !== undefined)?.slice(0, 200) ?? null;
}
