// Finds out why the signature of a callback does not verify, by trying the usual mistakes of signers and of what lies between
// the signer and the receiver. It names a cause only if the signature verifies with it, so a wrong diagnosis is as unlikely
// as a forged signature. It never changes a verdict.
import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { type HeaderList, type SignatureCauseId, signatureCauseIds } from '@rainbell/contract/app-rpc';
import { headerOf } from '../http/http-headers.ts';
import { listBodyVariants } from './body-variants.ts';

export type KnownSecret = {
  /** `whsec_…`, or the text of a client secret. */
  secret: string;
  origin: 'current' | 'previous' | 'other-connection' | 'client';
};

export type SignedRequest = {
  headers: HeaderList;
  body: Buffer;
  /** Without its `Content-Encoding`, if it has one and can be decoded. */
  decodedBody?: Buffer | undefined;
  /** `webhook-timestamp` of earlier attempts with the same `webhook-id`. */
  earlierTimestamps?: readonly string[] | undefined;
};

export type SignatureDiagnosis = {
  /** Whether the signature verifies with `causes`; without any cause, it is right as it is. */
  verifies: boolean;
  /** What together makes the signature verify. */
  causes: SignatureCauseId[];
  /** How many combinations were tried. */
  tried: number;
  /** Whether all were tried. A large body ends the search early. */
  isComplete: boolean;
};

/** Bounds the time: about 5 ms for hashing, also for a body of many megabytes. */
const maxHashedBytes = 4 * 1024 * 1024;
const maxTried = 4000;
const maxSecrets = 20;
/** More wrong keys are not tried together with a second mistake. */
const maxPairedKeys = 12;
const maxSignatures = 10;

/** One way to change a part of the computation; `causes` is empty for the right way. */
type Key = { causes: SignatureCauseId[]; key: KeyObject; algorithm: 'sha256' | 'sha1' | 'sha512' };
/** `around`: the text before and after the body, or null if the body is not signed as it is. */
type Template = {
  causes: SignatureCauseId[];
  before: string;
  after?: string;
  /** What is signed in place of the body. */
  replaced?: (body: Buffer) => string;
  /** Only with the right key and body, because there are many of its kind. */
  isRare?: boolean;
};

/** Diagnoses a request whose signature does not verify. Secrets that are public keys (`whpk_`) are left out. */
export function diagnoseSignature(request: SignedRequest, secrets: readonly KnownSecret[]): SignatureDiagnosis {
  const given = readSignatures(request.headers);
  const bodies = listBodyVariants(request.body, request.decodedBody);
  const templates = listTemplates(request);
  const keys = listKeys(secrets);
  let tried = 0;
  let hashedBytes = 0;
  let isComplete = true;

  function attempt(key: Key, template: Template, body: { cause: SignatureCauseId | null; bytes: Buffer }) {
    if (tried >= maxTried || hashedBytes > maxHashedBytes) {
      isComplete = false;
      return undefined;
    }
    tried += 1;
    hashedBytes += body.bytes.length;
    const hmac = createHmac(key.algorithm, key.key).update(template.before);
    if (template.replaced) hmac.update(template.replaced(body.bytes));
    else hmac.update(body.bytes);
    if (template.after) hmac.update(template.after);
    const form = given.get(hmac.digest('base64'));
    return form && [...key.causes, ...template.causes, ...(body.cause ? [body.cause] : []), ...form];
  }

  // By the number of changes: a variant with one change is found before one with two.
  const [rightBody, ...otherBodies] = bodies;
  const rightTemplates = templates.filter(({ causes }) => causes.length === 0);
  const otherTemplates = templates.filter(({ causes }) => causes.length > 0);
  const rightKeys = keys.filter(({ causes }) => causes.length === 0);
  const otherKeys = keys.filter(({ causes }) => causes.length > 0);
  const common = otherTemplates.filter(({ isRare }) => !isRare);
  const right = rightBody ? [rightBody] : [];
  const rounds = [
    [rightKeys, rightTemplates, right],
    [rightKeys, otherTemplates, right],
    [otherKeys, rightTemplates, right],
    [rightKeys, rightTemplates, otherBodies],
    [otherKeys.slice(0, maxPairedKeys), common, right],
    [rightKeys, common, otherBodies],
    [otherKeys.slice(0, maxPairedKeys), rightTemplates, otherBodies],
  ] as const;
  for (const [someKeys, someTemplates, someBodies] of given.size === 0 ? [] : rounds) {
    for (const key of someKeys) {
      for (const template of someTemplates) {
        for (const body of someBodies) {
          const causes = attempt(key, template, body);
          if (causes) return { verifies: true, causes: inOrder(causes), tried, isComplete: true };
        }
      }
    }
  }
  return { verifies: false, causes: [], tried, isComplete };
}

function inOrder(causes: readonly SignatureCauseId[]): SignatureCauseId[] {
  return signatureCauseIds.filter((cause) => causes.includes(cause));
}

/** What the request's signature may mean, by the hash in base64, with what is wrong with its form. */
function readSignatures(headers: HeaderList): ReadonlyMap<string, readonly SignatureCauseId[]> {
  const found = new Map<string, SignatureCauseId[]>();
  const add = (bytes: Buffer, causes: SignatureCauseId[]) => {
    const key = bytes.toString('base64');
    const known = found.get(key);
    if ([20, 32, 64].includes(bytes.length) && (!known || known.length > causes.length)) found.set(key, causes);
  };
  const header = headerOf(headers, 'webhook-signature') ?? headerNamed(headers, /signature/i) ?? '';
  const isOtherHeader = headerOf(headers, 'webhook-signature') === undefined;
  const base: SignatureCauseId[] = isOtherHeader ? ['other-headers'] : [];
  for (const entry of header.split(' ').slice(0, maxSignatures)) {
    const right = /^v1,(.*)$/.exec(entry);
    if (right?.[1] !== undefined) readText(right[1], base, add);
  }
  for (const text of looseEntries(header)) {
    const plain = text.replace(/^(v1|sha256|sha1|sha512|hmac-sha256)[=,:]/i, '');
    const isPrefixWrong = !/(^|[\s,"'])v1,/.test(header);
    readText(plain, [...base, isPrefixWrong ? 'signature-version' : 'signature-separator'], add);
  }
  return found;
}

function readText(text: string, causes: SignatureCauseId[], add: (bytes: Buffer, causes: SignatureCauseId[]) => void) {
  if (/^[0-9a-f]+$/i.test(text) && text.length % 2 === 0) add(Buffer.from(text, 'hex'), [...causes, 'signature-hex']);
  if (!/^[\w+/-]+=*$/.test(text)) return;
  const bytes = Buffer.from(text, 'base64');
  const isUrl = /[-_]/.test(text);
  const isPadded = text.endsWith('=') || bytes.length % 3 === 0;
  const forms: SignatureCauseId[] = [];
  if (isUrl) forms.push('signature-base64url');
  else if (!isPadded) forms.push('signature-padding');
  add(bytes, [...causes, ...forms]);
  const digits = bytes.toString('latin1');
  if (/^[0-9a-f]+$/i.test(digits)) add(Buffer.from(digits, 'hex'), [...causes, 'digits-of-base64']);
}

/** The header's parts, whatever separates them, with their version still before them. */
function looseEntries(header: string): string[] {
  return header
    .replaceAll(/["'\r\n]/g, ' ')
    .split(/[\s;]+|,(?=v1[,=:])|(?<=[=\w]),(?=[\w+/-]{27,}={0,2}(?:$|[\s,;]))/)
    .flatMap((part) => [part, part.replace(/^v1,/, '')])
    .filter((part) => part.length >= 26 && part.length <= 200)
    .slice(0, maxSignatures * 2);
}

function headerNamed(headers: HeaderList, pattern: RegExp): string | undefined {
  return headers.find(([name]) => pattern.test(name))?.[1];
}

function listKeys(secrets: readonly KnownSecret[]): Key[] {
  const keys: Key[] = [];
  const seen = new Set<string>();
  const add = (causes: SignatureCauseId[], key: Buffer | string, algorithm: Key['algorithm'] = 'sha256') => {
    const name = `${algorithm} ${Buffer.from(key).toString('latin1')}`;
    if (seen.has(name) || key.length === 0) return;
    seen.add(name);
    keys.push({ causes, key: createSecretKey(Buffer.from(key)), algorithm });
  };
  const usable = secrets.filter(({ secret }) => !secret.startsWith('whpk_')).slice(0, maxSecrets);
  for (const { secret, origin } of usable) {
    if (origin === 'current') add([], decoded(secret));
    else if (origin === 'previous') add(['previous-secret'], decoded(secret));
    else if (origin === 'client') add(['client-secret'], secret);
  }
  for (const { secret } of usable.filter(({ origin }) => origin === 'current')) {
    const bare = secret.replace(/^whsec_/, '');
    add(['secret-not-decoded'], secret);
    add(['secret-not-decoded'], bare);
    add(['secret-newline'], `${secret}\n`);
    add(['secret-newline'], `${bare}\n`);
    add(['secret-newline'], Buffer.concat([decoded(secret), Buffer.from('\n')]));
    if (secret !== bare) add(['prefix-not-removed'], Buffer.from(secret, 'base64'));
    if (/^[0-9a-f]+$/i.test(bare)) add(['secret-hex'], Buffer.from(bare, 'hex'));
    add(['wrong-algorithm'], decoded(secret), 'sha512');
    add(['wrong-algorithm'], decoded(secret), 'sha1');
  }
  for (const { secret, origin } of usable) {
    if (origin === 'other-connection') add(['other-connection'], decoded(secret));
  }
  return keys;
}

function decoded(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

const zoneSteps = Array.from({ length: 4 * 28 + 1 }, (_, index) => (index - 4 * 14) * 900).filter((step) => step !== 0);
const nearSeconds = Array.from({ length: 21 }, (_, index) => index - 10).filter((step) => step !== 0);

function listTemplates({ headers, body, earlierTimestamps = [] }: SignedRequest): Template[] {
  const id = headerOf(headers, 'webhook-id');
  const time = headerOf(headers, 'webhook-timestamp');
  const templates: Template[] = [];
  const seen = new Set<string>();
  const add = (template: Template) => {
    const key = `${template.before}\n${template.after ?? ''}\n${template.replaced?.name ?? ''}`;
    if (!seen.has(key)) templates.push(template);
    seen.add(key);
  };
  if (id !== undefined && time !== undefined) addDefaultTemplates(id, time, add);
  const bodyId = idIn(body);
  const ids = [id, headerNamed(headers, /^(svix|x-webhook|x)-(event-|message-)?id$/i), bodyId, '']
    .filter((one) => one !== undefined)
    .slice(0, 4);
  const times = [time, headerNamed(headers, /^(svix|x-webhook|x)-timestamp$/i)].filter((one) => one !== undefined);
  for (const otherId of ids) {
    for (const otherTime of times) {
      const causes: SignatureCauseId[] = [];
      if (otherTime !== time) causes.push('other-headers');
      if (otherId !== id)
        causes.push(otherId === '' ? 'id-missing' : otherId === bodyId ? 'id-from-body' : 'other-headers');
      add({ causes: [...new Set(causes)], before: `${otherId}.${otherTime}.` });
    }
  }
  if (time !== undefined) add({ causes: ['id-missing'], before: `${time}.` });
  if (id !== undefined) add({ causes: ['timestamp-missing'], before: `${id}.` });
  add({ causes: ['body-only'], before: '' });
  if (id === undefined || time === undefined) return templates;
  for (const other of earlierTimestamps.slice(0, 50)) {
    add({ causes: ['earlier-attempt'], before: `${id}.${other}.`, isRare: true });
  }
  addShifted(id, time, add);
  return templates;
}

function addDefaultTemplates(id: string, time: string, add: (template: Template) => void): void {
  const isMilliseconds = /^\d{13}$/.test(time);
  add({ causes: isMilliseconds ? ['milliseconds'] : [], before: `${id}.${time}.` });
  if (isMilliseconds) {
    add({ causes: ['milliseconds'], before: `${id}.${time.slice(0, 10)}.` });
    add({ causes: ['milliseconds'], before: `${id}.${Math.round(Number(time) / 1000)}.` });
  } else {
    add({ causes: ['milliseconds'], before: `${id}.${time}000.` });
  }
  add({ causes: ['body-missing'], before: `${id}.${time}`, replaced: nothing });
  add({ causes: ['body-missing'], before: `${id}.${time}.`, replaced: nothing });
  add({ causes: ['wrong-order'], before: `${time}.${id}.` });
  add({ causes: ['wrong-order'], before: '', after: `.${time}.${id}` });
  add({ causes: ['wrong-order'], before: '', after: `.${id}.${time}` });
  add({ causes: ['wrong-order'], before: `${id}.`, after: `.${time}` });
  for (const separator of ['', ':', '\n', '|', '-', ',', ' ']) {
    add({ causes: ['wrong-separator'], before: `${id}${separator}${time}${separator}` });
  }
  add({ causes: ['wrong-separator'], before: `${id}.${time}` });
  for (const hashed of [hexHash, base64Hash]) {
    add({ causes: ['body-hashed'], before: `${id}.${time}.`, replaced: hashed });
  }
}

function addShifted(id: string, time: string, add: (template: Template) => void): void {
  if (!/^\d{9,11}$/.test(time)) return;
  const shift = (steps: readonly number[], cause: SignatureCauseId) => {
    for (const step of steps) add({ causes: [cause], before: `${id}.${Number(time) + step}.`, isRare: true });
  };
  shift(nearSeconds, 'timestamp-changed');
  shift(zoneSteps, 'timestamp-zone');
}

const nothing = () => '';
const hexHash = (body: Buffer) => createHash('sha256').update(body).digest('hex');
const base64Hash = (body: Buffer) => createHash('sha256').update(body).digest('base64');

/** The `id` of a JSON body; of a long one, none. */
function idIn(body: Buffer): string | undefined {
  if (body.length > 64 * 1024) return undefined;
  try {
    const { id } = JSON.parse(body.toString('utf8')) as { id?: unknown };
    return typeof id === 'string' && id.length <= 200 ? id : undefined;
  } catch {
    return undefined;
  }
}
