// A copied callback, sent again by the real tool against a raw socket, arrives to the byte, or the copy says what does not. The app's
// own requests arrive with their secrets from the environment.
import { execFile, execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { callbackCode, type CopyTool, copyTools, requestCode } from '#renderer/viewers/request-code.ts';
import { listen } from '#test/setup/listen.ts';
import { noteMissing } from '#test/setup/missing.ts';

const run = promisify(execFile);

type Headers = [string, string][];
type Message = { method: string; target: string; headers: Headers; body: Buffer };

/** Reads one request to the byte: header values as one character each byte. */
async function startRawServer(): Promise<{ baseUrl: string; seen: Promise<Message> }> {
  let report: (message: Message) => void;
  const seen = new Promise<Message>((resolve) => {
    report = resolve;
  });
  const server = createServer((socket) => {
    let bytes = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) return;
      const [start = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
      const headers = lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      });
      const length = Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? 0);
      const body = bytes.subarray(end + 4);
      if (body.length < length) return;
      const [method = '', target = ''] = start.split(' ');
      report({ method, target, headers, body });
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
  });
  const port = await listen(server);
  return { baseUrl: `http://127.0.0.1:${port}`, seen };
}

/** UTF-8 bytes as Node's parser shows them. */
const asRead = (text: string) => Buffer.from(text).toString('latin1');

const type: Headers = [['Content-Type', 'application/json']];

const cases: Readonly<Record<string, Partial<Message>>> = {
  'quotes, a percent sign, and what looks like a file': {
    target: "/hooks/o'hara?x=1%20",
    headers: [...type, ['X-Note', "it's 100% \\n $HOME `id`"]],
    body: Buffer.from('@/etc/hostname {"note":"it\'s $HOME `rain`\\n ü"}\r\n'),
  },
  'an empty header': { headers: [...type, ['X-Empty', ''], ['X-At', '@file'], ['X-Is', '=x']] },
  'headers of the same name': { headers: [...type, ['X-Dup', 'one'], ['x-dup', 'two'], ['X-DUP', 'one']] },
  'a value in Latin-1': { headers: [...type, ['X-Word', 'caf\xe9']] },
  'a value in UTF-8': { headers: [...type, ['X-Word', asRead('Grüße ☔')]] },
  'dots in the path': { target: '/a/../b/./c/..' },
  'three dots in the path': { target: '/a/.../b' },
  'dots before a query': { target: '/a/..?b' },
  'a broken escape': { target: '/%zz' },
  'a fragment': { target: '/a#b' },
  'an asterisk': { target: '*' },
  'signs that are globs': { target: '/hooks/[1-3]/{a,b}?x=*' },
  'an absolute target': { target: 'http://example.org/x' },
  'all 256 bytes': { headers: [], body: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)) },
  'text without a type': { headers: [], body: Buffer.from('plain') },
  'text with NUL': { body: Buffer.from('a\0b') },
  'no body': { headers: [['Content-Length', '0']], body: Buffer.alloc(0) },
  'a method of its own': { method: 'PURGE', body: Buffer.alloc(0), headers: [['User-Agent', 'sender/1']] },
};

type Command = [string, string[]];

/** How each runs a text, whether it is installed, and Debian's package. */
const tools: Readonly<Record<CopyTool, { run: (text: string) => Command; probe: Command; package: string }>> = {
  cURL: { run: (text) => ['sh', ['-ec', text]], probe: ['curl', ['--version']], package: 'curl' },
  fetch: {
    run: (text) => [process.execPath, ['--input-type=module', '-e', text]],
    probe: [process.execPath, ['--version']],
    package: 'nodejs',
  },
  HTTPie: { run: (text) => ['sh', ['-ec', text]], probe: ['http', ['--version']], package: 'httpie' },
  Python: {
    run: (text) => ['python3', ['-c', text]],
    probe: ['python3', ['-c', 'import requests']],
    package: 'python3-requests',
  },
};

function isInstalled(tool: CopyTool): boolean {
  try {
    execFileSync(...tools[tool].probe, { stdio: 'ignore' });
    return true;
  } catch {
    noteMissing(tools[tool].package);
    return false;
  }
}

/** Each copy says it. */
const addedBy: Readonly<Partial<Record<CopyTool, readonly string[]>>> = {
  fetch: ['accept', 'accept-language', 'accept-encoding', 'user-agent', 'sec-fetch-mode'],
  HTTPie: ['accept-encoding', 'user-agent'],
};
const ofConnection = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'];

/** What was sent, without what each tool writes for the connection. fetch writes names in lower case, and adds some. */
function comparable({ method, target, headers, body }: Message, tool: CopyTool, sent: Headers) {
  const names = new Set(sent.map(([name]) => name.toLowerCase()));
  const isAdded = (name: string) => addedBy[tool]?.includes(name) === true && !names.has(name);
  const kept = headers
    .filter(([name]) => !ofConnection.includes(name.toLowerCase()) && !isAdded(name.toLowerCase()))
    .map(([name, value]) => `${tool === 'fetch' ? name.toLowerCase() : name}: ${value}`);
  return { method, target, headers: kept.toSorted(), body: body.toString('latin1') };
}

/** HTTPie takes a second to start, for each request. Those that it can’t send are the same as for Python. */
const ofHttpie = [
  'quotes, a percent sign, and what looks like a file',
  'an empty header',
  'a value in UTF-8',
  'dots in the path',
  'all 256 bytes',
];
const casesOf = (tool: CopyTool) =>
  Object.entries(cases).filter(([name]) => tool !== 'HTTPie' || ofHttpie.includes(name));

describe.each(copyTools)('a callback copied for %s', (tool) => {
  it.skipIf(!isInstalled(tool))('arrives to the byte, or says what does not', async () => {
    const copies = await Promise.all(
      casesOf(tool).map(async ([name, changes]) => {
        const wanted: Message = {
          method: 'POST',
          target: '/hooks/a',
          headers: type,
          body: Buffer.from('{"id":"precipitation_1"}'),
          ...changes,
        };
        const { baseUrl, seen } = await startRawServer();
        const bodyBase64 = wanted.body.toString('base64');
        return { name, wanted, seen, ...callbackCode(tool, { ...wanted, bodyBase64 }, baseUrl) };
      }),
    );
    // One program sends all of them, because its start takes longer than a request.
    await run(...tools[tool].run(copies.map(({ text }) => text).join('\n')));
    const arrived = copies.map(async ({ name, wanted, seen }) => [name, comparable(await seen, tool, wanted.headers)]);
    const expected = copies.map(({ name, wanted, limits }) => {
      const same = comparable(wanted, tool, wanted.headers);
      const isExact = limits.every((limit) => /^(fetch|HTTPie) adds /.test(limit));
      const other = expect.not.objectContaining(same) as unknown;
      return [name, isExact ? same : other];
    });
    expect(await Promise.all(arrived)).toEqual(expected);
  });
});

type OwnRequest = { method: string; path: string; headers?: Headers; body?: string; arrives: string };

const ownRequests: readonly OwnRequest[] = [
  { method: 'GET', path: "/v2/weather/?note=it's&x=$(date)", arrives: '' },
  {
    method: 'PUT',
    path: '/v2/monitors/precipitation_1/?code=••••••••',
    headers: type,
    body: '{"a":"it\'s $HOME"}',
    arrives: '{"a":"it\'s $HOME"}',
  },
  {
    method: 'POST',
    path: '/token/',
    body: 'grant_type=password&password=••••••••&scope=a',
    arrives: 'grant_type=password&password=pass word$1&scope=a',
  },
];

describe.each(copyTools)('the app’s own requests copied for %s', (tool) => {
  it.skipIf(!isInstalled(tool))('take their secrets from the environment', async () => {
    const copies = await Promise.all(
      ownRequests.map(async ({ method, path, headers = [], body = null, arrives }) => {
        const { baseUrl, seen } = await startRawServer();
        const own: Headers = [
          ['Host', 'a.example'],
          ['Authorization', 'Bearer ••••••••'],
          ['Proxy', 'Basic ••••••••'],
          // $SECRETb would be another variable.
          ['X-Key', 'a••••••••b'],
          ['Accept', 'application/json'],
        ];
        const encoded: Headers = [...own, ...headers, ['Accept-Encoding', 'gzip']];
        const text = requestCode(tool, { method, url: `${baseUrl}${path}`, headers: encoded, body });
        expect(text).not.toContain('•');
        return { text, seen, wanted: [method, path.replace('••••••••', 'code'), arrives] };
      }),
    );
    const env = {
      ...process.env,
      ACCESS_TOKEN: 'to$ken',
      PASSWORD: 'pass word$1',
      CODE: 'code',
      SECRET: 'c',
      CLIENT_CREDENTIALS_BASE64: 'YTpi',
    };
    // Each in a block, because fetch’s declare the same names.
    const script = copies.map(({ text }) => (tool === 'fetch' ? `{${text}}` : text)).join('\n');
    await run(...tools[tool].run(script), { env });
    for (const { seen, wanted } of copies) {
      const { method, target, headers, body } = await seen;
      expect([method, decodeURIComponent(target), body.toString()]).toEqual(wanted);
      const valueOf = (name: string) => headers.find(([other]) => other.toLowerCase() === name)?.[1];
      const arrived = ['authorization', 'proxy', 'x-key', 'accept'].map(valueOf);
      expect(arrived).toEqual(['Bearer to$ken', 'Basic YTpi', 'acb', 'application/json']);
      expect(valueOf('host')).toMatch(/^127\.0\.0\.1:/);
    }
  });
});
