// Signs a request as its sender does, or with one mistake: for replays, and to find out what a handler verifies.
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { formatInstant } from '@rainbell/shared';
import type { Algorithm, Scheme, SenderProfile, Timestamp } from './sender-profile.ts';
import { readSenderRequest, type SenderRequest } from './sender-request.ts';
import { contentsOf, digestOf, isPublic, type Key, keyOf } from './verify-sender.ts';

export type Signing = {
  secret: string;
  /** The time of the signature, in epoch milliseconds. */
  now: number;
  /** In place of the request's own, if the sender has it in a header. */
  id?: string | undefined;
};

/** What a program may do otherwise. */
export type SigningMistake = {
  key?: Key | undefined;
  alg?: Algorithm;
  template?: string;
  /** The body that is signed in place of the one that is sent. */
  signedBody?: Buffer;
  /** The timestamp is in milliseconds in place of seconds. */
  isInMilliseconds?: boolean;
  /** Writes the hash in another form, with what is before it. */
  write?: (hash: Buffer) => string;
};

/** The scheme by which a request can be signed: its signature is in a header, and the key is the secret. */
export function signingScheme({ schemes }: SenderProfile, request: SenderRequest): Scheme | undefined {
  const { fits, read } = readSenderRequest(request);
  const usable = schemes.filter(
    (scheme) =>
      !isPublic(scheme) &&
      scheme.alg !== 'external' &&
      scheme.each === undefined &&
      scheme.sig[0]?.startsWith('header:') &&
      (scheme.when === undefined || fits(scheme.when)),
  );
  return usable.find(({ sig }) => sig.some((ref) => read(ref) !== undefined)) ?? usable[0];
}

/** The headers of the signed request. Undefined if the sender's rule, the secret, or the request does not allow it. */
export function signRequest(
  profile: SenderProfile,
  request: SenderRequest,
  signing: Signing,
  mistake: SigningMistake = {},
): HeaderList | undefined {
  const scheme = signingScheme(profile, request);
  const key = mistake.key ?? (scheme && keyOf(scheme, signing.secret));
  if (!scheme || !key) return undefined;
  const { secret } = signing;
  const { sig, timestamp } = scheme;
  const time = timestamp && timeText(mistake.isInMilliseconds ? 'ms' : timestamp.unit, signing.now);
  const [timeAt = ''] = timestamp?.at ?? [];
  const headers = withValues(request.headers, [
    [timeAt, time],
    [profile.eventId?.[0] ?? '', signing.id],
  ]);
  const { render, read } = readSenderRequest({ ...request, headers, body: mistake.signedBody ?? request.body });
  // A time in the body is of the event, and can't be changed.
  const text = timeAt.startsWith('json:') ? read(timeAt) : time;
  const content = render(mistake.template ?? String(contentsOf(scheme)[0]), { time: text, secret });
  if ('missing' in content) return undefined;
  const hash = digestOf(mistake.alg ?? scheme.alg, key, content.bytes);
  const value = mistake.write?.(hash) ?? entryOf(scheme) + (scheme.enc === 'text' ? secret : encode(scheme, hash));
  const [at = ''] = [...sig.filter((ref) => read(ref) !== undefined), ...sig];
  return withHeader(headers, at.replace('-*', '-1'), listStart(scheme, timeAt, text) + value);
}

/** Replaces headers; other places and undefined values stay as they are. */
function withValues(headers: HeaderList, values: readonly (readonly [string, string | undefined])[]): HeaderList {
  return values
    .filter(([ref, value]) => ref.startsWith('header:') && value !== undefined)
    .reduce((list, [ref, value = '']) => withHeader(list, ref, value), headers);
}

function timeText(unit: Timestamp['unit'], now: number): string {
  return { s: String(Math.floor(now / 1000)), ms: String(now), iso: formatInstant(now) }[unit];
}

/** What is before each signature. */
export function entryOf({ list, prefix = '' }: Scheme): string {
  return list ? list.key + list.eq : prefix;
}

export function encode({ enc = 'hex' }: Scheme, hash: Buffer): string {
  return hash.toString(enc === 'hex' ? 'hex' : 'base64');
}

/** The timestamp, if it is in the signature's list. */
function listStart({ list }: Scheme, timeAt: string, time = ''): string {
  return list && timeAt.startsWith('sig:') ? `${timeAt.slice(4)}${list.eq}${time}${list.sep[0]}` : '';
}

/** Replaces all headers of this name, at the place of the first. */
export function withHeader(headers: HeaderList, ref: string, value: string): HeaderList {
  const name = ref.replace(/^header:/, '');
  const isSame = ([key]: readonly [string, string]) => key.toLowerCase() === name;
  const index = headers.findIndex(isSame);
  const rest = headers.filter((header) => !isSame(header));
  return rest.toSpliced(index < 0 ? rest.length : index, 0, [headers[index]?.[0] ?? name, value]);
}

/** A request as the sender's events look, unsigned: with the headers, members, and tokens by which its row recognizes it. */
export function sampleRequest(
  { id, match, schemes, eventId = [] }: SenderProfile,
  url: string,
  eventKey: string,
): SenderRequest {
  const members: Record<string, unknown> = { id: eventKey, type: 'rainbell.sample', note: 'Sent by rainbell dev' };
  let headers: HeaderList = [
    ['content-type', 'application/json'],
    ['user-agent', `Rainbell sample of ${id}`],
  ];
  const [alternative = ''] = match.split(' / ');
  const named = alternative.split(' & ').map((test) => /^([^!=^~]+)(?:[=^~](.*))?$/.exec(test) ?? []);
  const tokens = schemes
    .flatMap((scheme) => contentsOf(scheme))
    .join('')
    .matchAll(/\{((?:header|json):[^}]+)\}/g);
  const refs = [
    ...named.map(([, ref = '', value]) => [ref, value] as const),
    ...[...tokens].map(([, ref = '']) => [ref, undefined] as const),
  ];
  for (const [ref, wanted] of refs) {
    const [kind, name = ''] = ref.split(':');
    if (kind === 'json' && !name.includes('.')) members[name] = wanted ?? members[name] ?? eventKey;
    if (kind === 'header' && !/signature|hmac|-mac$/.test(name))
      headers = withHeader(headers, ref, wanted ?? (/(id|delivery)$/.test(name) ? eventKey : 'sample'));
  }
  const [idAt] = eventId;
  if (idAt?.startsWith('header:')) headers = withHeader(headers, idAt, eventKey);
  return { method: 'POST', url, headers, body: Buffer.from(JSON.stringify(members)) };
}
