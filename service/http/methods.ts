// Returns 405 instead of 404 if a path exists but not with that method, with the Allow header of RFC 9110 §15.5.6.
import type { FastifyInstance } from 'fastify';

/** Returns the methods of the routes at a URL's path, in the order of registration. */
export type MethodsAt = (url: string) => readonly string[];

/** Call before registering routes; ignores catch-all routes. */
export function rememberMethods(server: FastifyInstance): MethodsAt {
  const methodsByPath = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const path = withoutSlash(url);
    const known = methodsByPath.get(path) ?? new Set();
    methodsByPath.set(path, known);
    for (const one of [method].flat()) known.add(one);
  });
  return (url) => {
    const segments = withoutSlash(url.split('?')[0] ?? '').split('/');
    const paths = [...methodsByPath.keys()].filter((path) => fits(path.split('/'), segments));
    return [...new Set(paths.flatMap((path) => [...(methodsByPath.get(path) ?? [])]))];
  };
}

/** `:name` in a route's path matches any one segment. */
function fits(path: readonly string[], segments: readonly string[]): boolean {
  return (
    path.length === segments.length &&
    path.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  );
}

/** A missing trailing slash makes no difference (server.ts). */
function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
