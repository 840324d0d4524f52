// Reads the fields of a request that the user typed, line by line.
import type { HeaderList } from '@rainbell/contract/app-rpc';

export function headersText(headers: HeaderList): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}

const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:[ \t]*(.*)$/;

/** Call when `headersProblem` or `sendProblems` found nothing. */
export function headersOfText(text: string): [string, string][] {
  return linesOf(text).flatMap((line): [string, string][] => {
    const [, name, value] = headerLine.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}

/** Returns error messages by field; none if the request can be sent. */
export function sendProblems({ url, headers }: { url: string; headers: string }): { url?: string; headers?: string } {
  const wrong = headersProblem(headers);
  const parsed = URL.parse(url);
  return {
    ...(parsed && /^https?:$/.test(parsed.protocol)
      ? {}
      : { url: 'Enter a URL that starts with http:// or https://.' }),
    ...(wrong === undefined ? {} : { headers: wrong }),
  };
}

/** What is wrong with headers as they are typed, a line each; undefined if nothing is. */
export function headersProblem(headers: string): string | undefined {
  const wrong = linesOf(headers).findIndex((line) => !headerLine.test(line));
  return wrong < 0 ? undefined : `Line ${wrong + 1} is not a header. Use Name: value.`;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
