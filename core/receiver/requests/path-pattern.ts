// Paths as rules, endpoints and forward targets name them.

/** Whether a path fits a pattern, whose `*` at the end stands for any rest. */
export function fitsPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

/** The path of a request target, which is a path with a query, or a whole URL if the sender expected a proxy. */
export function pathOf(target: string): string {
  const path = target.startsWith('/') ? target : (URL.parse(target)?.pathname ?? target);
  return path.split('?', 1)[0] ?? path;
}
