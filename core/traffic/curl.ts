// A kept exchange as a command line for a shell. Where a secret stood it names a variable, which the person sets.
import type { HeaderList } from '#contract/app-rpc/base.ts';
import { maskText } from './mask.ts';

type Request = { method: string; url: string; headers: HeaderList; body: string | null };

/** Headers that curl writes itself. */
const curlsOwn = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding']);

export function toCurl({ method, url, headers, body }: Request): string {
  const isEncoded = headers.some(([name]) => name.toLowerCase() === 'accept-encoding');
  const lines = [
    `curl -i -X ${method} ${quote(url)}`,
    ...headers
      .filter(([name]) => !curlsOwn.has(name.toLowerCase()))
      .map(([name, value]) => `-H ${quoteWith(`${name}: ${value}`, variableOf(value))}`),
    ...(isEncoded ? ['--compressed'] : []),
    ...(body === null ? [] : bodyLines(body)),
  ];
  return lines.join(' \\\n  ');
}

function bodyLines(body: string): string[] {
  if (!body.includes(maskText)) return [`--data-raw ${quote(body)}`];
  // A form of the token endpoint: each secret is a variable of its own.
  return body.split('&').map((part) => {
    const [name = ''] = part.split('=', 1);
    return `--data ${quoteWith(part, `$${name.toUpperCase()}`)}`;
  });
}

function variableOf(value: string): string {
  if (value.startsWith('Basic ')) return '$CLIENT_CREDENTIALS_BASE64';
  return value.startsWith('Bearer ') ? '$ACCESS_TOKEN' : '$SECRET';
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Single quotes, left only for the variable. */
function quoteWith(text: string, variable: string): string {
  return quote(text).replaceAll(maskText, `'"${variable}"'`);
}
