// How the receiver answers: by default 200 with nothing, by a rule's step, or with the sentence of a refusal.
import type { ServerResponse } from 'node:http';
import { maxHeld, type ResponseStep } from '@rainbell/contract/app-rpc';
import { receivedResponse, type ResponsePlanned } from './response-outcome.ts';

/** For a request that is not stored. */
export function sendSentence(
  response: ServerResponse,
  status: number,
  sentence: string,
  headers: Record<string, string>,
): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(sentence)),
    ...headers,
  });
  response.end(sentence);
}

const textHeaders = [['content-type', 'text/plain; charset=utf-8']] as const;

/** For a request that would be held if fewer were. */
export function tooManyHeldResponse({ rule, step }: ResponsePlanned): ResponsePlanned {
  const body = `The receiver is already holding ${maxHeld} requests. Try again later.\n`;
  const headers = [...textHeaders, ['retry-after', '30'] as const];
  return { ...receivedResponse, status: 503, headers, body, rule, step };
}

export function tooLongResponse(limitBytes: number): ResponsePlanned {
  const body = `The body is longer than ${limitBytes} bytes; only that much was stored.\n`;
  return { ...receivedResponse, status: 413, headers: textHeaders, body };
}

export function responseOfStep(step: ResponseStep, rule: string, number: number | null): ResponsePlanned {
  const base = { delayMs: step.delayMs, rule, step: number };
  if (step.kind === 'hold') {
    const body = `No one responded to this held request within ${step.delayMs / 1000} s.\n`;
    return { ...base, action: 'answer', status: 504, headers: textHeaders, body, isHeld: true };
  }
  if (step.kind === 'answer')
    return { ...base, action: 'answer', status: step.status, headers: step.headers, body: step.body };
  return { ...base, action: step.kind, status: null, headers: [], body: '' };
}
