// URLs under which a sender may have signed a request that a proxy or a tunnel changed on its way.
import { headerOf } from '../http/http-headers.ts';
import type { SenderRequest } from './sender-request.ts';

/** Other hosts, schemes, ports, and paths than those of the request; at most 120. */
export function listUrls({ url, headers }: SenderRequest): string[] {
  const [, scheme = 'https', host = '', path = '', query = ''] =
    /^([a-z]+):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?/i.exec(url) ?? [];
  const forwarded = /host="?([^;,"]+)/i.exec(headerOf(headers, 'forwarded') ?? '')?.[1];
  const named = ['x-forwarded-host', 'x-original-host', 'host'].map((name) => headerOf(headers, name));
  const hosts = [host, forwarded, ...named].flatMap((one) => {
    const bare = one?.replace(/:\d+$/, '');
    return one === undefined ? [] : [one, `${bare}`, `${bare}:443`, `${bare}:80`];
  });
  const schemes = [scheme, scheme === 'https' ? 'http' : 'https'];
  const prefix = headerOf(headers, 'x-forwarded-prefix') ?? '';
  const paths = [path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`, prefix + path];
  const rests = [query, ''].flatMap((tail) => paths.map((where) => where + tail));
  const all = hosts.flatMap((name) => schemes.flatMap((one) => rests.map((rest) => `${one}://${name}${rest}`)));
  const decoded = all.filter((one) => /%[0-9a-f]{2}/i.test(one)).map((one) => (URL.parse(one) ? decodePath(one) : one));
  return [...new Set([...all, ...decoded])].filter((one) => one !== url).slice(0, 120);
}

function decodePath(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
