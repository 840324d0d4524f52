// A request as a curl command for a POSIX shell. Where the app masked the token stands a shell variable, or the token itself
// where the person asked for it.
import type { HeaderList } from '#contract/app-rpc/base.ts';

const masked = 'Bearer ••••••••';
/** What curl writes itself; `accept-encoding` alone would leave the answer compressed on the screen. */
const curlsOwn = /^(host|content-length|connection|accept-encoding)$/i;

type Request = { method: string; url: string; headers: HeaderList };

export function curlCommand({ method, url, headers }: Request, token: string | null = null): string {
  const isEncoded = headers.some(([name]) => name.toLowerCase() === 'accept-encoding');
  return [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${quote(method)}`]),
    quote(url),
    ...headers.filter(([name]) => !curlsOwn.test(name)).map(([name, value]) => header(name, value, token)),
    ...(isEncoded ? ['--compressed'] : []),
  ].join(' \\\n  ');
}

function header(name: string, value: string, token: string | null): string {
  if (value !== masked) return `-H ${quote(`${name}: ${value}`)}`;
  return token === null ? `-H "${name}: Bearer $ACCESS_TOKEN"` : `-H ${quote(`${name}: Bearer ${token}`)}`;
}

/** Single quotes keep everything as it is; a single quote itself is written outside of them. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
