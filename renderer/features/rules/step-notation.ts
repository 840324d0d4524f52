// A rule's sequence of answers in one line: `500, 500, 200`, with delays (`500 after 2 s`) and broken connections (`close`,
// `reset`). Reading tells what is wrong, and where.
import type { ResponseStep } from '#contract/app-rpc/rules.ts';

export type ReadSteps = { ok: true; steps: ResponseStep[] } | { ok: false; problem: string };

const stepForm = /^(\d{3}|close|reset)(?:\s+after\s+(\d+(?:\.\d+)?)\s*(ms|s))?$/i;
const longestDelayMs = 60_000;
const mostSteps = 100;

export function writeSteps(steps: readonly ResponseStep[]): string {
  return steps
    .map((step) => `${step.kind === 'answer' ? step.status : step.kind}${writeDelay(step.delayMs)}`)
    .join(', ');
}

function writeDelay(delayMs: number): string {
  if (delayMs === 0) return '';
  return delayMs % 1000 === 0 ? ` after ${delayMs / 1000} s` : ` after ${delayMs} ms`;
}

/** The body and the headers go with every answer; a broken connection has none. */
export function readSteps(text: string, answer: { body: string; headers: [string, string][] }): ReadSteps {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) return { ok: false, problem: 'Give at least one answer, for instance 200.' };
  if (parts.length > mostSteps) return { ok: false, problem: `At most ${mostSteps} answers follow each other.` };
  const steps: ResponseStep[] = [];
  for (const part of parts) {
    const match = stepForm.exec(part);
    if (!match)
      return {
        ok: false,
        problem: `“${part}” is no answer. Write 200, close or reset, and “after 2 s” behind it for a delay.`,
      };
    const [, what = '', amount = '0', unit = 'ms'] = match;
    const delayMs = Math.round(Number(amount) * (unit.toLowerCase() === 's' ? 1000 : 1));
    if (delayMs > longestDelayMs) return { ok: false, problem: `“${part}” waits too long: at most 60 s.` };
    const word = what.toLowerCase();
    if (word === 'close' || word === 'reset') steps.push({ kind: word, delayMs });
    else {
      const status = Number(what);
      if (status < 200 || status > 599)
        return { ok: false, problem: `${what} is no status to answer with: 200 to 599.` };
      steps.push({ kind: 'answer', status, delayMs, hasPlaceholders: false, ...answer });
    }
  }
  return { ok: true, steps };
}
