// Paths as rules, endpoints and forward targets name them, and where a request arrived.
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { normalTarget } from '@rainbell/shared';
import { headerOf } from '../../http/http-headers.ts';

/** Whether a path fits a pattern, whose `*` at the end stands for any rest. */
export function fitsPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

/**
 * The path and query of a request target, which may be a whole URL (RFC 9112 section 3.2.2), without the changes of a URL parser,
 * which resolves `..` and encodes characters.
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const [, rest] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^#]*)/i.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

export function pathOf(target: string): string {
  return originForm(target).split('?', 1)[0] ?? target;
}

/** Whether a request arrived at the path and query of a URL, and at its host, which a whole URL as target names before the header. */
export function arrivalAt(
  url: URL,
  { target, headers }: { target: string; headers: HeaderList },
): { isPath: boolean; isHost: boolean } {
  const host = target.startsWith('/') ? `${url.protocol}//${headerOf(headers, 'host') ?? ''}` : target;
  return { isPath: normalTarget(target) === normalTarget(url.href), isHost: URL.parse(host)?.host === url.host };
}
