// URLs under which a sender may have signed a request that a proxy or a tunnel changed on its way.
import { headerOf } from '../http/http-headers.ts';
import type { SenderRequest } from './sender-request.ts';

/** Other hosts, schemes, ports, and paths than those of the request; at most 120. */
export function listUrls({ url, headers }: SenderRequest): string[] {
  const [, scheme = 'https', host = '', path = '', query = ''] =
    /^([a-z]+):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?/i.exec(url) ?? [];
  const forwarded = /host="?([^;,"]+)/i.exec(headerOf(headers, 'forwarded') ?? '')?.[1];
  const hosts = [
    host,
    headerOf(headers, 'x-forwarded-host'),
    forwarded,
    headerOf(headers, 'x-original-host'),
    headerOf(headers, 'host'),
  ];
  const prefix = headerOf(headers, 'x-forwarded-prefix') ?? '';
  const paths = [path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`, prefix + path];
  const names = hosts
    .filter((one) => one !== undefined)
    .flatMap((one) => {
      const bare = one.replace(/:\d+$/, '');
      return [one, bare, `${bare}:443`, `${bare}:80`];
    });
  const all = names.flatMap((name) =>
    [scheme, scheme === 'https' ? 'http' : 'https'].flatMap((one) =>
      [...new Set([query, ''])].flatMap((tail) => paths.map((where) => `${one}://${name}${where}${tail}`)),
    ),
  );
  const decoded = all.map((one) => {
    try {
      return decodeURI(one);
    } catch {
      return one;
    }
  });
  return [...new Set([...all, ...decoded])].filter((one) => one !== url).slice(0, 120);
}
