// A request as a command for a POSIX shell and as code. Where the app masked the token stands a shell variable, or the token itself
// where the person asked for it.
import type { HeaderList } from '#contract/app-rpc/base.ts';
import type { Forecast } from '#contract/app-rpc/forecast.ts';

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

export const copyFormats = { curl: 'cURL', fetch: 'fetch', python: 'Python', har: 'HAR' } as const;
export type CopyFormat = keyof typeof copyFormats;

/** The request of a forecast; a HAR has the response, too. The token stays masked. */
export function copyRequestAs(format: CopyFormat, forecast: Forecast): string {
  switch (format) {
    case 'curl':
      return curlCommand(forecast.request);
    case 'fetch':
      return fetchCode(forecast.request);
    case 'python':
      return pythonCode(forecast.request);
    case 'har':
      return JSON.stringify(harOf(forecast), null, 2);
  }
}

function headersWithoutToken(headers: HeaderList): readonly (readonly [string, string])[] {
  return headers.filter(([name, value]) => !curlsOwn.test(name) && value !== masked);
}

function fetchCode({ method, url, headers }: Request): string {
  const own = headersWithoutToken(headers).map(
    ([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  const token = headers.some(([, value]) => value === masked)
    ? ['    authorization: `Bearer ${process.env.ACCESS_TOKEN}`,']
    : [];
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    '  headers: {',
    ...own,
    ...token,
    '  },',
    '});',
    'console.log(response.status, await response.json());',
  ].join('\n');
}

/** With `requests`. JSON's strings are Python's, except for characters beyond U+FFFF, which JSON.stringify leaves as they are. */
function pythonCode({ method, url, headers }: Request): string {
  const own = headersWithoutToken(headers).map(
    ([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  const token = headers.some(([, value]) => value === masked)
    ? ['        "authorization": f"Bearer {os.environ[\'ACCESS_TOKEN\']}",']
    : [];
  return [
    'import os',
    '',
    'import requests',
    '',
    'response = requests.request(',
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(url)},`,
    '    headers={',
    ...own,
    ...token,
    '    },',
    '    timeout=30,',
    ')',
    'print(response.status_code, response.json())',
  ].join('\n');
}

/** HAR 1.2: http://www.softwareishard.com/blog/har-12-spec/ */
function harOf({ request, response, fetchedAt, tookMs }: Forecast): object {
  const pairs = (headers: HeaderList) => headers.map(([name, value]) => ({ name, value }));
  const started = new Date(Date.parse(fetchedAt) - tookMs).toISOString();
  const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return {
    log: {
      version: '1.2',
      creator: { name: 'Rainbell', version: '1' },
      entries: [
        {
          startedDateTime: started,
          time: tookMs,
          request: {
            method: request.method,
            url: request.url,
            httpVersion: 'HTTP/1.1',
            cookies: [],
            headers: pairs(request.headers),
            queryString: [...new URL(request.url).searchParams].map(([name, value]) => ({ name, value })),
            headersSize: -1,
            bodySize: 0,
          },
          response: {
            status: response.status,
            statusText: '',
            httpVersion: 'HTTP/1.1',
            cookies: [],
            headers: pairs(response.headers),
            content: { size: response.sizeBytes, mimeType: type, text: response.bodyText },
            redirectURL: '',
            headersSize: -1,
            bodySize: response.sizeBytes,
          },
          cache: {},
          timings: { send: 0, wait: tookMs, receive: 0 },
        },
      ],
    },
  };
}
