// A callback as a command or as code that sends it once more. Bodies that are no plain text travel as base64.
import type { Callback } from '#contract/app-rpc/callbacks.ts';
import { bytesOf, textOf } from '#renderer/viewers/body-text.ts';

type Sent = Pick<Callback, 'method' | 'target' | 'headers' | 'bodyBase64'>;

/** What the sending program writes by itself. */
const own = /^(host|content-length|connection|transfer-encoding|accept-encoding|expect)$/i;

/** For a POSIX shell. */
export function callbackCurl({ method, target, headers, bodyBase64 }: Sent, baseUrl: string): string {
  const text = plainText(bodyBase64);
  const isBinary = bodyBase64 !== '' && text === undefined;
  const parts = [
    `curl -X ${quote(method)} ${quote(`${baseUrl}${target}`)}`,
    ...headers.filter(([name]) => !own.test(name)).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(isBinary ? ['--data-binary @-'] : text === undefined ? [] : [`--data-raw ${quote(text)}`]),
  ];
  return `${isBinary ? `printf %s ${quote(bodyBase64)} | base64 -d | ` : ''}${parts.join(' \\\n  ')}`;
}

/** For a JavaScript console. */
export function callbackFetch({ method, target, headers, bodyBase64 }: Sent, baseUrl: string): string {
  const text = plainText(bodyBase64);
  const body =
    text === undefined
      ? `Uint8Array.from(atob(${JSON.stringify(bodyBase64)}), (letter) => letter.charCodeAt(0))`
      : JSON.stringify(text);
  const lines = [
    `  method: ${JSON.stringify(method)},`,
    `  headers: ${JSON.stringify(headers.filter(([name]) => !own.test(name)))},`,
    ...(bodyBase64 === '' ? [] : [`  body: ${body},`]),
  ];
  return `await fetch(${JSON.stringify(`${baseUrl}${target}`)}, {\n${lines.join('\n')}\n});`;
}

/** The body as text that a command line can hold; undefined where there is none, or it is none. */
function plainText(bodyBase64: string): string | undefined {
  if (bodyBase64 === '') return undefined;
  const text = textOf(bytesOf(bodyBase64));
  return text?.includes('\0') ? undefined : text;
}

/** Single quotes keep everything as it is; a single quote itself is written outside of them. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
