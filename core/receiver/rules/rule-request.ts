// What a rule reads of a request, and puts into its response. Each part is read once, and only if a rule needs it.
import { type HeaderList, placeholderForm } from '@rainbell/contract/app-rpc';
import { formatInstant, headerText, once } from '@rainbell/shared';
import { headerOf, pairsOf } from '../../http/http-headers.ts';
import { pathOf } from '../requests/path-pattern.ts';
import { bufferOf, type ReceivedCallback } from '../requests/received-callback.ts';
import type { ResponsePlanned } from '../responses/response-outcome.ts';
import { readForms, type RequestSubject, textOfBody, textOfJson } from './request-match.ts';

export type RuleRequest = {
  subject: RequestSubject;
  /** The value of a placeholder; empty if the request does not have it. */
  valueOf: (name: string) => string;
};

/** Longer bodies are not decoded or parsed while their sender waits. */
const maxReadBytes = 256 * 1024;
/** Of a response with placeholders. */
const maxFilledLength = 64 * 1024;

export function readRequest(request: ReceivedCallback): RuleRequest {
  const { method, target, remoteAddress, rawHeaders, body, truncated, receivedAt } = request;
  const headers: HeaderList = pairsOf(rawHeaders);
  const { text, ...forms } = readForms(() =>
    body.length > maxReadBytes ? '' : textOfBody({ headers, body: bufferOf(body), truncated }, maxReadBytes),
  );
  const { json } = forms;
  const monitorId = () => {
    const id = memberOf(json(), ['id']);
    return typeof id === 'string' ? id : null;
  };
  const query = once(() => new URLSearchParams(target.split('?').slice(1).join('?')));
  return {
    subject: {
      method,
      target,
      remoteAddress,
      headers,
      get monitorId() {
        return monitorId();
      },
      note: '',
      sizeBytes: body.length,
      ...forms,
    },
    valueOf(name) {
      const [kind, ...path] = name.split('.');
      if (path.length > 0) {
        if (kind === 'query') return query().get(path.join('.')) ?? '';
        if (kind === 'header') return headerOf(headers, path.join('.').toLowerCase()) ?? '';
        if (kind === 'json') return textOfJson(memberOf(json(), path)) ?? '';
      }
      if (name === 'method') return method;
      if (name === 'target') return target;
      if (name === 'path') return pathOf(target);
      if (name === 'body') return text();
      if (name === 'monitor') return monitorId() ?? '';
      return name === 'time' ? formatInstant(receivedAt) : '';
    },
  };
}

/** The response with the request's values in its body and its headers, cut at 64 KB. */
export function fillIn(planned: ResponsePlanned, request: RuleRequest): ResponsePlanned {
  return {
    ...planned,
    headers: planned.headers.map(([name, value]) => [name, headerValue(fill(value, request))] as const),
    body: cutBytes(fill(planned.body, request, headerText)),
  };
}

/** `readHeader`: for a text; in headers, values stay the bytes that they are. */
function fill(text: string, { valueOf }: RuleRequest, readHeader = (value: string) => value): string {
  let left = maxFilledLength;
  return text.replaceAll(placeholderForm, (_, quote: string | undefined, name: string) => {
    const found = valueOf(name);
    const value = (name.startsWith('header.') ? readHeader(found) : found).slice(0, left);
    left -= value.length;
    return quote === undefined ? value : JSON.stringify(value);
  });
}

/** An untrusted value can neither end the header nor contain a character that HTTP does not allow. */
function headerValue(value: string): string {
  return value.slice(0, 4096).replaceAll(/[^\t\u0020-\u007e\u00a0-\u00ff]/g, '?');
}

/** A character that is cut off at the end is left out. */
function cutBytes(text: string): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return decoder.decode(Buffer.from(text).subarray(0, maxFilledLength), { stream: true });
}

function memberOf(value: unknown, path: readonly string[]): unknown {
  let member = value;
  for (const name of path) {
    const isBranch = typeof member === 'object' && member !== null && !JSON.isRawJSON(member);
    if (!isBranch || !Object.hasOwn(member as object, name)) return undefined;
    member = (member as Record<string, unknown>)[name];
  }
  return member;
}
