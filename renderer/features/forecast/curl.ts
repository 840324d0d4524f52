// A request as a curl command for a POSIX shell. What the app masked stays masked.
import type { HeaderList } from '#contract/procedures/base.ts';

export function curlCommand(request: { method: string; url: string; headers: HeaderList }): string {
  const method = request.method === 'GET' ? [] : [`-X ${quote(request.method)}`];
  const headers = request.headers
    .filter(([name]) => !/^(host|content-length|connection)$/i.test(name))
    .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  return ['curl', ...method, quote(request.url), ...headers].join(' \\\n  ');
}

/** Single quotes keep everything as it is; a single quote itself is written outside of them. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
