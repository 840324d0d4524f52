// How the receiver answers: by default 200 with nothing, by a rule's step, or with the sentence of a refusal.
import type { ServerResponse } from 'node:http';
import type { Clock } from '#shared/time/clock.ts';
import type { ResponseStep } from '#contract/app-rpc/rules.ts';

const empty = { 'content-length': '0' };

export function answerReceived(response: ServerResponse): void {
  response.writeHead(200, empty);
  response.end();
}

export function answerSentence(
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

/** The status that is stored with the callback; 0 where there will be none. */
export function statusOf(step: ResponseStep | undefined): number {
  if (!step) return 200;
  return step.kind === 'answer' ? step.status : 0;
}

export function answerByStep(response: ServerResponse, step: ResponseStep, clock: Clock): void {
  if (step.delayMs === 0) return act(response, step);
  const cancelTimer = clock.after(step.delayMs, () => act(response, step));
  response.once('close', cancelTimer);
}

function act(response: ServerResponse, step: ResponseStep): void {
  if (step.kind === 'close') return void response.socket?.end();
  if (step.kind === 'reset') return void response.socket?.resetAndDestroy();
  // These never have a body, nor a length (RFC 9110 §6.4.1, §8.6).
  const hasBody = step.status !== 204 && step.status !== 304;
  const length: [string, string][] = hasBody ? [['content-length', String(Buffer.byteLength(step.body))]] : [];
  response.writeHead(step.status, [...step.headers, ...length].flat());
  response.end(hasBody ? step.body : undefined);
}
