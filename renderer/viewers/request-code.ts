// Formats a request as a command or as code that sends it again, and lists what the tool can't send as received: a callback to the
// byte, the app's own requests readably, with variables for the masked secrets. Header values are as Node reads them: one character
// for each byte.
import { formatList, isConnectionHeader, maskText, printable } from '@rainbell/shared';
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { bytesOf, bytesOfLatin1, textOf } from './body-text.ts';

type Sent = { method: string; target: string; headers: HeaderList; bodyBase64: string };
type OwnRequest = { method: string; url: string; headers: HeaderList; body?: string | null };

export type CopiedRequest = {
  text: string;
  /** Sentences about the differences from the received request. */
  limits: readonly string[];
};

export const copyTools = ['cURL', 'fetch', 'HTTPie', 'Python'] as const;
export type CopyTool = (typeof copyTools)[number];

/** Sends a callback again, as received; `baseUrl` is the target, without a path. */
export function callbackCode(tool: CopyTool, callback: Sent, baseUrl: string): CopiedRequest {
  return exactWriters[tool](callback, baseUrl);
}

/** Sends one of the app's own requests. The tool decodes the response, so Accept-Encoding is its own. */
export function requestCode(tool: CopyTool, { method, url, headers, body = null }: OwnRequest): string {
  const copied = headers.filter(([name]) => !isConnectionHeader(name) && name.toLowerCase() !== 'accept-encoding');
  const isEncoded = hasHeader({ headers }, 'accept-encoding');
  return ownWriters[tool]({ method, url, headers: copied, body, isEncoded });
}

/** A text whose secrets are names of variables. */
type Piece = string | { readonly variable: string };

function piecesOf(text: string, variableAt: (before: string) => string): readonly Piece[] {
  return text
    .split(maskText)
    .flatMap((part, index, parts): Piece[] => [
      ...(index > 0 ? [{ variable: variableAt(parts.slice(0, index).join(maskText)) }] : []),
      ...(part === '' ? [] : [part]),
    ]);
}

function headerPieces(value: string): readonly Piece[] {
  return piecesOf(value, (before) =>
    before === 'Bearer ' ? 'ACCESS_TOKEN' : before === 'Basic ' ? 'CLIENT_CREDENTIALS_BASE64' : 'SECRET',
  );
}

/** Names each secret of a URL, a form, or JSON after its parameter or member. */
function namedPieces(text: string): readonly Piece[] {
  return piecesOf(text, (before) => /(\w+)["']?\s*[=:]\s*["']?$/.exec(before)?.[1]?.toUpperCase() ?? 'SECRET');
}

/** For a POSIX shell. The word starts with `before`. */
function shellWord([first, ...rest]: readonly Piece[], before = ''): string {
  const joined = typeof first === 'object' ? [before, first, ...rest] : [before + (first ?? ''), ...rest];
  const pieces = joined.filter((piece) => piece !== '');
  // A letter after a variable would belong to its name.
  const isPlain = pieces.every(
    (piece, index) =>
      typeof piece !== 'string' ||
      (/^[\w .,:;/=&?+~@%-]*$/.test(piece) && (typeof pieces[index - 1] !== 'object' || !/^\w/.test(piece))),
  );
  if (isPlain && pieces.some((piece) => typeof piece !== 'string'))
    return `"${pieces.map((piece) => (typeof piece === 'string' ? piece : `$${piece.variable}`)).join('')}"`;
  return pieces.map((piece) => (typeof piece === 'string' ? quote(piece) : `"$${piece.variable}"`)).join('') || "''";
}

/** An expression of a language whose strings are JSON's. */
function expression(pieces: readonly Piece[], environment: (variable: string) => string): string {
  const parts = pieces.map((piece) => (typeof piece === 'string' ? literal(piece) : environment(piece.variable)));
  return parts.join(' + ') || '""';
}

const fromNode = (variable: string) => `process.env.${variable}`;
const fromPython = (variable: string) => `os.environ["${variable}"]`;

type Written = Required<OwnRequest> & { isEncoded: boolean };

const ownWriters: Readonly<Record<CopyTool, (request: Written) => string>> = {
  cURL({ method, url, headers, body, isEncoded }) {
    return [
      `curl ${method === 'GET' && body === null ? '' : `-X ${method} `}${shellWord(namedPieces(url))}`,
      ...headers.map(([name, value]) => `-H ${shellWord(headerPieces(value), `${name}: `)}`),
      ...(isEncoded ? ['--compressed'] : []),
      ...(body === null ? [] : [`--data-raw ${shellWord(namedPieces(body))}`]),
    ].join(' \\\n  ');
  },
  fetch: ({ method, url, headers, body }) =>
    [
      `const response = await fetch(${expression(namedPieces(url), fromNode)}, {`,
      `  method: ${literal(method)},`,
      '  headers: {',
      ...headers.map(([name, value]) => `    ${literal(name)}: ${expression(headerPieces(value), fromNode)},`),
      '  },',
      ...(body === null ? [] : [`  body: ${expression(namedPieces(body), fromNode)},`]),
      '});',
      'console.log(response.status, await response.text());',
    ].join('\n'),
  HTTPie: ({ method, url, headers, body }) =>
    [
      `http --ignore-stdin ${method} ${shellWord(namedPieces(url))}`,
      ...headers.map(([name, value]) => shellWord(headerPieces(value), `${name}:`)),
      ...(body === null ? [] : [`--raw ${shellWord(namedPieces(body))}`]),
    ].join(' \\\n  '),
  Python({ method, url, headers, body }) {
    const lines = [
      'response = requests.request(',
      `    ${literal(method)},`,
      `    ${expression(namedPieces(url), fromPython)},`,
      '    headers={',
      ...headers.map(([name, value]) => `        ${literal(name)}: ${expression(headerPieces(value), fromPython)},`),
      '    },',
      ...(body === null ? [] : [`    data=${expression(namedPieces(body), fromPython)},`]),
      '    timeout=30,',
      ')',
      'print(response.status_code, response.text)',
    ];
    const imports = lines.some((line) => line.includes('os.environ')) ? ['import os', ''] : [];
    return [...imports, 'import requests', '', ...lines].join('\n');
  },
};

const exactWriters: Readonly<Record<CopyTool, (callback: Sent, baseUrl: string) => CopiedRequest>> = {
  cURL: writeCurl,
  fetch: writeFetch,
  HTTPie: writeHttpie,
  Python: writePython,
};

function sentHeaders({ headers }: Sent): [string, string][] {
  return headers.filter(([name]) => !isConnectionHeader(name));
}

function hasHeader({ headers }: Pick<Sent, 'headers'>, wanted: string): boolean {
  return headers.some(([name]) => name.toLowerCase() === wanted);
}

function valueOf({ headers }: Sent, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** True of every tool. */
function commonLimits(callback: Sent, baseUrl: string): string[] {
  const host = valueOf(callback, 'host');
  return [
    ...(host !== undefined && host !== new URL(baseUrl).host ? [`Host becomes ${new URL(baseUrl).host}.`] : []),
    ...(hasHeader(callback, 'transfer-encoding') ? ['The body is sent with Content-Length, not in chunks.'] : []),
    ...(hasHeader(callback, 'upgrade') ? ['The Upgrade header is left out.'] : []),
    ...(hasHeader(callback, 'trailer') ? ['Trailers are left out.'] : []),
  ];
}

function writeCurl(callback: Sent, baseUrl: string): CopiedRequest {
  const { method, target, bodyBase64 } = callback;
  const text = shellText(bodyBase64);
  const isBinary = bodyBase64 !== '' && text === undefined;
  const hasLength = hasHeader(callback, 'content-length');
  // curl adds these unless disabled.
  const added = ['User-Agent', 'Accept', ...(bodyBase64 === '' && !hasLength ? [] : ['Content-Type'])];
  const parts = [
    ...(isPlainTarget(target)
      ? [`curl -X ${quote(method)} ${quote(`${baseUrl}${target}`)}`]
      : [`curl -X ${quote(method)} --request-target ${quote(target)} ${quote(baseUrl)}`]),
    ...(method === 'HEAD' && bodyBase64 === '' ? ['--head'] : []),
    ...added.filter((name) => !hasHeader(callback, name.toLowerCase())).map((name) => `-H ${quote(`${name}:`)}`),
    ...(bodyBase64.length > 1_000_000 ? [`-H 'Expect:'`] : []),
    // `Name;` is an empty value.
    ...sentHeaders(callback).map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(isBinary
      ? ['--data-binary @-']
      : text !== undefined || hasLength
        ? [`--data-raw ${quoteText(text ?? '')}`]
        : []),
  ];
  return {
    text: `${isBinary ? `printf %s ${quote(bodyBase64)} | base64 -d | ` : ''}${parts.join(' \\\n  ')}`,
    limits: [
      ...commonLimits(callback, baseUrl),
      ...(method === 'HEAD' && bodyBase64 !== '' ? ['curl waits for a body after HEAD.'] : []),
    ],
  };
}

/** Nothing in it that curl's globs or the normalization of paths would change. */
function isPlainTarget(target: string): boolean {
  return (
    /^\/[\w\-.~%?=&:@,;+!$'()*/]*$/.test(target) && !target.startsWith('//') && !/\/\.{1,2}(?=[/?]|$)/.test(target)
  );
}

function writeFetch(callback: Sent, baseUrl: string): CopiedRequest {
  const { method, target, bodyBase64 } = callback;
  const headers = sentHeaders(callback);
  const text = plainText(bodyBase64);
  // A text would get a content type of its own.
  const body =
    text === undefined
      ? `Uint8Array.from(atob(${literal(bodyBase64)}), (letter) => letter.charCodeAt(0))`
      : `new TextEncoder().encode(${literal(text)})`;
  const canHaveBody = method !== 'GET' && method !== 'HEAD';
  const lines = [
    `  method: ${literal(method)},`,
    `  headers: ${literal(headers)},`,
    ...(bodyBase64 === '' || !canHaveBody ? [] : [`  body: ${body},`]),
  ];
  const url = URL.parse(`${baseUrl}${target}`);
  const isSame = url !== null && target.startsWith('/') && `${url.pathname}${url.search}` === target;
  const added = ['accept', 'accept-language', 'accept-encoding', 'user-agent', 'sec-fetch-mode'];
  return {
    text: `await fetch(${literal(`${baseUrl}${target.startsWith('/') ? target : '/'}`)}, {\n${lines.join('\n')}\n});`,
    limits: [
      ...commonLimits(callback, baseUrl),
      ...(isSame ? [] : [`fetch changes the target ${target}.`]),
      ...(duplicatesIn(headers) ? ['fetch combines headers with the same name, separated by commas.'] : []),
      ...(!canHaveBody && bodyBase64 !== '' ? [`fetch can’t send a body with ${method}.`] : []),
      ...(/^(CONNECT|TRACE|TRACK)$/i.test(method) ? [`fetch can’t send ${method}.`] : []),
      `fetch adds these headers if they are missing: ${added.join(', ')}.`,
    ],
  };
}

function duplicatesIn(headers: readonly (readonly [string, string])[]): boolean {
  return new Set(headers.map(([name]) => name.toLowerCase())).size < headers.length;
}

function writeHttpie(callback: Sent, baseUrl: string): CopiedRequest {
  const { method, target, bodyBase64 } = callback;
  const text = shellText(bodyBase64);
  const isBinary = bodyBase64 !== '' && text === undefined;
  const headers = sentHeaders(callback);
  const hidden = ['Accept', ...(bodyBase64 === '' ? [] : ['Content-Type'])];
  // Without them, the library below HTTPie writes its own.
  const added = ['Accept-Encoding', 'User-Agent'].filter((name) => !hasHeader(callback, name.toLowerCase()));
  const readable = headers.map(([name, value]) => [name, utf8Of(value)] as const);
  const unsent = readable.filter(([, value]) => value === undefined || /\\[:;=@]/.test(value)).map(([name]) => name);
  const items = readable.flatMap(([name, value]) =>
    value === undefined ? [] : value === '' ? [`${name};`] : [`${name}:${value.replace(/^[=@]/, '\\$&')}`],
  );
  const parts = [
    `http ${isBinary ? '' : '--ignore-stdin '}--path-as-is ${quote(method)} ${quote(`${baseUrl}${target.startsWith('/') ? target : '/'}`)}`,
    ...hidden.filter((name) => !hasHeader(callback, name.toLowerCase())).map((name) => quote(`${name}:`)),
    ...items.map((item) => quoteText(item)),
    ...(text === undefined ? [] : [`--raw ${quoteText(text)}`]),
  ];
  return {
    text: `${isBinary ? `printf %s ${quote(bodyBase64)} | base64 -d | ` : ''}${parts.join(' \\\n  ')}`,
    limits: [
      ...commonLimits(callback, baseUrl),
      ...(isQuotedTarget(target) ? [] : [`HTTPie changes the target ${target}.`]),
      ...(unsent.length === 0 ? [] : [`HTTPie can’t send these values unchanged: ${unsent.join(', ')}.`]),
      ...(method === method.toUpperCase() ? [] : ['HTTPie sends the method in uppercase.']),
      ...(added.length === 0 ? [] : [`HTTPie adds ${formatList(added)}.`]),
    ],
  };
}

/** Nothing in it that requests and urllib3 would write as percent codes. */
function isQuotedTarget(target: string): boolean {
  return /^\/(?!\/)(?:[\w\-.~?=&:@,;+!$'()*/]|%[\dA-F]{2})*$/.test(target);
}

function writePython(callback: Sent, baseUrl: string): CopiedRequest {
  const { method, target, bodyBase64 } = callback;
  const text = plainText(bodyBase64);
  const headers = sentHeaders(callback);
  const body = text === undefined ? `base64.b64decode(${literal(bodyBase64)})` : `${literal(text)}.encode()`;
  const url = `${baseUrl}${target.startsWith('/') ? target : '/'}`;
  const hidden = ['User-Agent', 'Accept-Encoding'].filter((name) => !hasHeader(callback, name.toLowerCase()));
  const lines = [
    ...(bodyBase64 !== '' && text === undefined ? ['import base64'] : []),
    'import requests',
    ...(hidden.length === 0 ? [] : ['from urllib3.util import SKIP_HEADER']),
    '',
    `request = requests.Request(${literal(method)}, ${literal(url)}${bodyBase64 === '' ? '' : `, data=${body}`}).prepare()`,
    `request.method = ${literal(method)}`,
    `request.url = ${literal(url)}`,
    ...headers.map(([name, value]) => `request.headers[${literal(name)}] = ${literal(value)}.encode("latin-1")`),
    ...hidden.map((name) => `request.headers[${literal(name)}] = SKIP_HEADER`),
    'response = requests.Session().send(request)',
    'print(response.status_code, response.text)',
  ];
  return {
    text: lines.join('\n'),
    limits: [
      ...commonLimits(callback, baseUrl),
      ...(isQuotedTarget(target) ? [] : [`The Python requests library changes the target ${target}.`]),
      ...(duplicatesIn(headers)
        ? ['The Python requests library sends only the last of several headers with the same name.']
        : []),
    ],
  };
}

/** The text of a value whose bytes are UTF-8 and nothing that a terminal would act on; undefined otherwise. */
function utf8Of(value: string): string | undefined {
  const text = textOf(bytesOfLatin1(value));
  return text !== undefined && isQuiet(text.replaceAll('\t', '')) ? text : undefined;
}

function isQuiet(text: string): boolean {
  return printable(text) === text;
}

/** A string of JavaScript, Python, or JSON. */
function literal(value: unknown): string {
  return printable(JSON.stringify(value));
}

/** A shell takes longer arguments badly; they go through a pipe. */
const maxArgumentLength = 60_000;

/** The body as text that a command line can contain; undefined if it is empty or can't be such text. */
function plainText(bodyBase64: string): string | undefined {
  if (bodyBase64 === '' || bodyBase64.length > maxArgumentLength) return undefined;
  const text = textOf(bytesOf(bodyBase64));
  return text?.includes('\0') ? undefined : text;
}

/** Also without what a terminal would act on: some controls end a bracketed paste. */
function shellText(bodyBase64: string): string | undefined {
  const text = plainText(bodyBase64);
  return text !== undefined && isQuiet(text.replaceAll(/[\t\n]/g, '')) ? text : undefined;
}

/** Takes bytes, one character each: what is not ASCII goes through printf, which every POSIX shell has. */
function quote(bytes: string): string {
  if (/^[\x20-\x7e\t]*$/.test(bytes)) return quoteText(bytes);
  const escaped = bytes.replaceAll(/[\\%]/g, (sign) => (sign === '%' ? '%%' : '\\\\'));
  const octal = escaped.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /[\u0001-\u0008\u000b-\u001f\u007f-\u00ff]/g,
    (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"$(printf ${quoteText(octal)})"`;
}

/** Single quotes keep everything as it is; a single quote itself is written outside of them. */
function quoteText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
