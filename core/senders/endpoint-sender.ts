// What the endpoint of a path says about the sender of its requests, and the response that this sender requires.
import type { CustomRule, Endpoint, HeaderList } from '@rainbell/contract/app-rpc';
import { headerOf } from '../http/http-headers.ts';
import { fitsPath, originForm, pathOf } from '../receiver/requests/path-pattern.ts';
import { answerHandshake, type HandshakeAnswer, refusalFor, type SenderSettings } from './handshakes.ts';
import type { SenderProfile } from './sender-profile.ts';
import { readSenderRequest, type SenderRequest } from './sender-request.ts';
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
  const scheme = headerOf(headers, 'x-forwarded-proto') ?? 'http';
  return `${scheme}://${headerOf(headers, 'x-forwarded-host') ?? headerOf(headers, 'host') ?? 'localhost'}${where}`;
}

/** Every request is compared with them while its sender waits. */
const rowsWithHandshakes = senderRows.filter(({ handshakes }) => handshakes !== undefined);
/** Handshakes are short; a longer body is not read while its sender waits. */
const maxAnsweredBytes = 64 * 1024;

/** The response to the request with which a sender checks the receiver, or to a wrong signature; undefined if it requires none. */
export function requiredAnswer(
  endpoints: readonly EndpointWithSecrets[],
  received: Received & { receivedAt: number },
): HandshakeAnswer | undefined {
  if (received.body.length > maxAnsweredBytes) return undefined;
  const endpoint = endpointSenderOf(endpoints, received.target);
  const request = toSenderRequest(received, endpoint.publicUrl);
  const known = { ...endpoint, receivedAt: received.receivedAt };
  const answer = answerHandshake(rowsWithHandshakes, request, known);
  if (answer || endpoint.secrets.length === 0) return answer;
  return refusalFor(endpoint.sender ?? recognizeSender(senderRows, readSenderRequest(request)), request, known);
}
