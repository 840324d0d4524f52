// A rule's sequence of responses in one line: `500, 500, 200`, with delays (`500 after 2 s`), broken connections (`close`,
// `reset`), and requests that wait for a manual response (`hold for 30 s`). Parsing reports each error and its position.
import type { ResponseStep } from '@rainbell/contract/app-rpc';

export type ReadSteps = { ok: true; steps: ResponseStep[] } | { ok: false; problem: string };

const stepForm = /^(\d{3}|close|reset)(?:\s+after\s+(\d+(?:\.\d+)?)\s*(ms|s))?$/i;
const holdForm = /^hold(?:\s+for\s+(\d+(?:\.\d+)?)\s*(ms|s|min))?$/i;
const defaultHoldMs = 60_000;
/** As in contract/app-rpc/rules.ts. */
const maxHoldMs = 600_000;
const maxDelayMs = 60_000;
const maxSteps = 100;

export function writeSteps(steps: readonly ResponseStep[]): string {
  return steps
    .map(({ kind, delayMs, ...step }) => {
      if (kind === 'hold') return writeHold(delayMs);
      const what = 'status' in step ? step.status : kind;
      return delayMs === 0 ? what : `${what} after ${writeTime(delayMs)}`;
    })
    .join(', ');
}

function writeHold(ms: number): string {
  return ms === defaultHoldMs ? 'hold' : `hold for ${writeTime(ms)}`;
}

/** Undefined for a text that is none. */
function readHold(text: string): number | undefined {
  const match = holdForm.exec(text);
  if (!match) return undefined;
  const [, amount, unit = 's'] = match;
  if (amount === undefined) return defaultHoldMs;
  return Math.round(Number(amount) * { ms: 1, s: 1000, min: 60_000 }[unit.toLowerCase() as 'ms' | 's' | 'min']);
}

function writeTime(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}

/** The body and the headers go with every answer; a broken connection has none. */
export function readSteps(text: string, response: { body: string; headers: [string, string][] }): ReadSteps {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) return { ok: false, problem: 'Enter at least one response, for example 200.' };
  if (parts.length > maxSteps) return { ok: false, problem: `Enter at most ${maxSteps} responses.` };
  const steps: ResponseStep[] = [];
  for (const part of parts) {
    const holdMs = readHold(part);
    if (holdMs !== undefined) {
      if (holdMs < 1000 || holdMs > maxHoldMs)
        return { ok: false, problem: `“${part}” is out of range. A request can be held for 1 s to 10 min.` };
      steps.push({ kind: 'hold', delayMs: holdMs });
      continue;
    }
    const match = stepForm.exec(part);
    if (!match)
      return {
        ok: false,
        problem: `“${part}” is not a response. Use 200, close, reset, or hold, and add “after 2 s” for a delay.`,
      };
    const [, what = '', amount = '0', unit = 'ms'] = match;
    const delayMs = Math.round(Number(amount) * (unit.toLowerCase() === 's' ? 1000 : 1));
    if (delayMs > maxDelayMs) return { ok: false, problem: `“${part}” is too long. The delay can be at most 60 s.` };
    const word = what.toLowerCase();
    if (word === 'close' || word === 'reset') steps.push({ kind: word, delayMs });
    else {
      const status = Number(what);
      if (status < 200 || status > 599) return { ok: false, problem: `${what} is not a status from 200 to 599.` };
      steps.push({ kind: 'answer', status, delayMs, hasPlaceholders: false, ...response });
    }
  }
  return { ok: true, steps };
}
