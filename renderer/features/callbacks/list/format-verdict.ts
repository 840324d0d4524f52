// A callback's verdict in a word for the list.
import type { CallbackSummary } from '#contract/app-rpc/callbacks.ts';

export type VerdictTone = 'good' | 'warn' | 'bad' | 'plain';

/** What stands in the list's column “Check”. */
export function verdictWords({ verdict, kind }: Pick<CallbackSummary, 'verdict' | 'kind'>): {
  words: string;
  tone: VerdictTone;
} {
  if (verdict === 'error') return { words: 'broken', tone: 'bad' };
  if (verdict === 'warning') return { words: 'warning', tone: 'warn' };
  if (kind === 'other') return { words: '', tone: 'plain' };
  if (kind === 'test') return { words: 'test', tone: 'plain' };
  if (kind === 'retry') return { words: 'retry', tone: 'plain' };
  return verdict === 'ok' ? { words: 'valid', tone: 'good' } : { words: 'unknown', tone: 'plain' };
}
