// Takes every secret out of an exchange before it is stored or shown (traffic, exported pages, agents): headers, parameters, and members by
// name, token responses except for what is known to be harmless, and then whatever the request carried, wherever it turns up.
import type { HeaderList } from '@rainbell/contract/app-rpc';
import type { HttpRequest } from '../http/http-sender.ts';
import { maskText, parseJsonObject } from '@rainbell/shared';

/** Names that end like this. In JSON `code`, `key`, and `sig` often mean something harmless; in a URL they do not. */
const memberNames = String.raw`[\w.-]{0,60}?(?:token|secret|passw(?:or)?d|api[_-]?key|assertion|code_verifier|device_code)`;
const secretMember = new RegExp(`^(?:${memberNames})$`, 'i');
const parameterNames = String.raw`${memberNames}|[\w.-]{0,60}?signature|code|key|sig`;
/** Not those of signatures, which are useless without the secret and needed to verify a callback. */
const secretHeaders = /authorization|\bauth\b|cookie|credential|key|passw|secret|token/i;
/** Members of a token answer that a screen may show as they are. */
const harmlessMembers = new Set([
  'token_type',
  'expires_in',
  'scope',
  'state',
  'error',
  'error_description',
  'error_uri',
  'grant_type',
  'redirect_uri',
  'client_id',
  'username',
  'token_type_hint',
  'verification_uri',
]);
/** Members of an error, at any depth, that say what was wrong (core/http/service-message.ts). */
const reasonMembers = new Set([
  'error',
  'errors',
  'error_description',
  'error_uri',
  'errorCode',
  'errorId',
  'errorSummary',
  'errorCauses',
  'detail',
  'details',
  'message',
  'msg',
  'title',
  'type',
  'status',
  'reason',
  'description',
  'loc',
  'field',
  'domain',
  'instance',
  'timestamp',
  'path',
]);
const deepestReason = 6;

/** Knows the secrets that the request carries, so that an echo of them is masked as well. */
export function maskerFor(request: Pick<HttpRequest, 'headers' | 'body' | 'kind'>) {
  const carried = secretsIn(request);

  function text(original: string): string {
    let masked = original;
    for (const secret of carried) masked = masked.replaceAll(secret, maskText);
    return masked
      .replaceAll(jsonPattern, `$1"${maskText}"`)
      .replaceAll(formPattern, `$1$2=${maskText}`)
      .replaceAll(webhookSecretPattern, maskText);
  }

  return {
    /** Any text, for instance the body of an API answer. */
    text,
    url: text,
    headers: (headers: HeaderList): HeaderList => headers.map(([name, value]) => [name, maskHeader(name, value, text)]),
    /** A form or JSON of the token endpoint: only harmless members stay. */
    tokenBody: (body: string): string => maskTokenBody(body, text),
  };
}

/** A masker for text without a request, such as the URL of a sign-in page. */
export const plainMasker = maskerFor({ headers: [] });

/** A replacer for JSON.stringify that masks every string. */
export function masking(mask: (text: string) => string) {
  return (_name: string, value: unknown) => (typeof value === 'string' ? mask(value) : value);
}

// Written so that a text of megabytes costs no backtracking.
const jsonPattern = new RegExp(`("(?:${memberNames})"\\s*:\\s*)"[^"\\\\]*(?:\\\\.[^"\\\\]*)*(?:"|\\\\?$)`, 'gis');
const formPattern = new RegExp(`(^|[?&#\\s"'>])(${parameterNames})=[^&\\s"'<#]+`, 'gi');
/** Secrets and private keys of Standard Webhooks. */
const webhookSecretPattern = /\bwhs(?:ec|k)_[\w+/=-]{8,}/g;

function maskHeader(name: string, value: string, text: (value: string) => string): string {
  const lower = name.toLowerCase();
  if (lower === 'authorization') return `${value.split(' ', 1)[0]} ${maskText}`;
  return secretHeaders.test(name) ? maskText : text(value);
}

function maskTokenBody(body: string, text: (value: string) => string): string {
  const json = parseJsonObject(body);
  if (json) {
    return JSON.stringify(
      Object.fromEntries(Object.entries(json).map(([name, value]) => [name, harmless(name, value, text)])),
    );
  }
  if (!/^[\w.~%+-]+=/.test(body.trim())) return text(body);
  const parts = [...new URLSearchParams(body.trim())];
  return parts.map(([name, value]) => `${name}=${encoded(harmless(name, value, text))}`).join('&');
}

function harmless(name: string, value: unknown, text: (value: string) => string): unknown {
  if (secretMember.test(name)) return maskText;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || JSON.isRawJSON(value)) return value;
  if (reasonMembers.has(name)) return reason(value, text, 0);
  if (name === 'scope' && Array.isArray(value)) return reason(value, text, deepestReason - 1);
  // Other lists and objects have no place in a token response, and could nest too deep to be written.
  return harmlessMembers.has(name) && typeof value === 'string' ? text(value) : maskText;
}

/** Keeps why a request was refused; what it carried, and members by other names, are masked. */
function reason(value: unknown, text: (value: string) => string, depth: number): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  if (depth >= deepestReason) return maskText;
  if (Array.isArray(value)) return value.map((entry) => reason(entry, text, depth + 1));
  const members = Object.entries(value).map(([name, member]) => {
    const isReason = reasonMembers.has(name) || name === 'code';
    return [name, isReason ? reason(member, text, depth + 1) : maskText];
  });
  return Object.fromEntries(members);
}

/** The mask itself stays readable. */
function encoded(value: unknown): string {
  return value === maskText ? maskText : encodeURIComponent(String(value)).replaceAll('%20', '+');
}

/** Shorter texts would mask half of an answer by accident; no service gives out such short secrets. */
export const minSecretLength = 6;

function secretsIn({ headers, body, kind }: Pick<HttpRequest, 'headers' | 'body' | 'kind'>): string[] {
  const secrets = new Set<string>();
  for (const [name, value] of headers) if (name.toLowerCase() === 'authorization') addCredentials(value, secrets);
  if (kind === 'token') {
    // As it was sent, and as others would write it.
    for (const part of (body ?? '').split('&')) {
      const [name = '', value = ''] = part.split('=', 2);
      if (!harmlessMembers.has(name)) secrets.add(value);
    }
    for (const [name, value] of new URLSearchParams(body ?? '')) {
      if (!harmlessMembers.has(name)) addForms(value, secrets);
    }
  }
  return [...secrets]
    .filter((secret) => secret.length >= minSecretLength)
    .toSorted((one, other) => other.length - one.length);
}

function addCredentials(value: string, secrets: Set<string>): void {
  const [scheme = '', credentials = ''] = value.split(' ');
  addForms(credentials, secrets);
  if (scheme.toLowerCase() !== 'basic') return;
  const pair = Buffer.from(credentials, 'base64').toString('utf8');
  const secret = pair.slice(pair.indexOf(':') + 1);
  addForms(secret, secrets);
  addForms(new URLSearchParams(`v=${secret}`).get('v') ?? '', secrets);
}

function addForms(secret: string, secrets: Set<string>): void {
  for (const form of formsOf(secret)) secrets.add(form);
}

/** A secret can come back as it is, in an address, in a form, in JSON. */
export function formsOf(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    strictlyEncoded(secret),
    new URLSearchParams({ v: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
  ];
}

/** RFC 3986: also the five characters that encodeURIComponent leaves. */
function strictlyEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
