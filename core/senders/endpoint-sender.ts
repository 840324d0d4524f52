// What the endpoint of a path says about the sender of its requests.
import type { CustomRule, Endpoint, HeaderList } from '@rainbell/contract/app-rpc';
import { headerOf } from '../http/http-headers.ts';
import { fitsPath, originForm, pathOf } from '../receiver/requests/path-pattern.ts';
import type { SenderSettings } from './handshakes.ts';
import type { SenderProfile } from './sender-profile.ts';
import type { SenderRequest } from './sender-request.ts';
import { senderOf } from './sender-rows.ts';

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
