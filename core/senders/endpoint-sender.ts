// What the endpoint of a path says about the sender of its requests, and the response that this sender requires.
import type { CustomRule, Endpoint, HeaderList } from '@rainbell/contract/app-rpc';
import { headerOf, pairsOf } from '../http/http-headers.ts';
import { bufferOf, type ReceivedCallback } from '../receiver/requests/received-callback.ts';
import { fitsPath, originForm, pathOf } from '../receiver/requests/path-pattern.ts';
import { answerHandshake, type HandshakeAnswer, refusalFor, type SenderSettings } from './handshakes.ts';
import type { SenderProfile } from './sender-profile.ts';
import { readSenderRequest, type SenderRequest, testsOf } from './sender-request.ts';
import { senderOf, senderRows } from './sender-rows.ts';
import { recognizeSender } from './verify-sender.ts';

export type EndpointWithSecrets = Pick<Endpoint, 'path' | 'sender' | 'customRule' | 'publicUrl' | 'verifyToken'> & {
  secrets?: readonly string[];
};

export type EndpointSender = SenderSettings & { publicUrl: string | null };

const noEndpoint: EndpointSender = { sender: undefined, secrets: [], verifyToken: null, publicUrl: null };

/** Returns the sender of the first endpoint whose path matches. */
export function endpointSenderOf(endpoints: readonly EndpointWithSecrets[], target: string): EndpointSender {
  const path = pathOf(target);
  const found = endpoints.find((endpoint) => fitsPath(endpoint.path, path));
  if (!found) return noEndpoint;
  const { customRule, sender, secrets = [], verifyToken = null, publicUrl = null } = found;
  const chosen = customRule ? customProfile(customRule) : sender === undefined ? undefined : senderOf(sender);
  return { sender: chosen, secrets, verifyToken, publicUrl };
}

function customProfile({ header, prefix, algorithm, encoding, keyEncoding, content }: CustomRule): SenderProfile {
  const name = header.toLowerCase();
  return {
    id: 'custom',
    name: 'Custom sender',
    match: `header:${name}`,
    schemes: [
      {
        sig: [`header:${name}`],
        prefix: prefix.toLowerCase(),
        alg: algorithm,
        enc: algorithm === 'equals' ? 'text' : encoding,
        content,
        // A public key is never text.
        key: { enc: keyEncoding === 'text' && algorithm === 'ed25519' ? 'hex' : keyEncoding },
      },
    ],
  };
}

type Received = { method: string; target: string; headers: HeaderList; body: Buffer };

/** `publicUrl` and `publicBase`: as the sender knows this receiver; without them, as the request says. */
export function toSenderRequest(
  { method, target, headers, body }: Received,
  publicUrl: string | null,
  publicBase: string | null = null,
): SenderRequest {
  return { method, url: signedUrl(target, headers, publicUrl, publicBase), headers, body };
}

function signedUrl(target: string, headers: HeaderList, publicUrl: string | null, publicBase: string | null): string {
  const where = originForm(target);
  const base = publicUrl ?? publicBase;
  const parsed = base === null ? null : URL.parse(base);
  if (base !== null && parsed && parsed.pathname !== '/') {
    const query = where.includes('?') && !base.includes('?') ? where.slice(where.indexOf('?')) : '';
    return base + query;
  }
  if (parsed) return parsed.origin + where;
  // The query is that of the target, whatever these say.
  const part = (name: string) => headerOf(headers, name)?.split(/[/?#]/, 1)[0];
  return `${part('x-forwarded-proto') ?? 'http'}://${part('x-forwarded-host') ?? part('host') ?? 'localhost'}${where}`;
}

const firstTests = senderRows
  .flatMap(({ handshakes = [] }) => handshakes)
  .flatMap(({ when, unlessValid }) => (unlessValid === undefined ? (testsOf(when)[0]?.[0] ?? []) : []));
const headersOfHandshakes = new Set(firstTests.map(({ name }) => name));
const textsOfHandshakes = firstTests.filter(({ kind }) => kind === 'json').map(({ wanted }) => wanted);

/** Handshakes are short; a longer body is not read while its sender waits. */
const maxAnsweredBytes = 64 * 1024;

type Waiting = Pick<ReceivedCallback, 'method' | 'target' | 'rawHeaders' | 'body' | 'receivedAt'>;

/** The response to the request with which a sender checks the receiver, or to a wrong signature; undefined if it requires none. */
export function requiredAnswer(
  endpoints: readonly EndpointWithSecrets[],
  { method, target, rawHeaders, body: bytes, receivedAt }: Waiting,
): HandshakeAnswer | undefined {
  const body = bufferOf(bytes);
  if (body.length > maxAnsweredBytes) return undefined;
  const endpoint = endpointSenderOf(endpoints, target);
  const { sender, secrets, publicUrl } = endpoint;
  // Most requests fit none of these, and are not compared with each handshake while their sender waits.
  const isCandidate =
    sender ||
    secrets.length > 0 ||
    publicUrl !== null ||
    method !== 'POST' ||
    target.includes('?') ||
    rawHeaders.some((text, index) => index % 2 === 0 && headersOfHandshakes.has(text.toLowerCase())) ||
    textsOfHandshakes.some((text) => body.includes(text));
  if (!isCandidate) return undefined;
  const request = toSenderRequest({ method, target, headers: pairsOf(rawHeaders), body }, publicUrl);
  const known = { ...endpoint, receivedAt };
  const answer = answerHandshake(senderRows, request, known);
  if (answer || secrets.length === 0) return answer;
  return refusalFor(sender ?? recognizeSender(senderRows, readSenderRequest(request)), request, known);
}
