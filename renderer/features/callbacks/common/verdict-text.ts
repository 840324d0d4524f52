// The names of verdicts on screens.
import type { VerdictName } from '#contract/app-rpc/callback-verdicts.ts';

export const verdictLabels: Readonly<Record<VerdictName, string>> = {
  verified: 'Verified',
  'too-soon': 'Too soon',
  'out-of-order': 'Out of order',
  invalid: 'Invalid',
  unsigned: 'Unsigned',
  'not-an-event': 'Not an event',
  refused: 'Refused',
  unknown: 'Not checked yet',
};

export type VerdictTone = 'good' | 'warn' | 'bad' | 'mute';

export const verdictTones: Readonly<Record<VerdictName, VerdictTone>> = {
  verified: 'good',
  'too-soon': 'warn',
  'out-of-order': 'warn',
  invalid: 'bad',
  unsigned: 'mute',
  'not-an-event': 'mute',
  refused: 'mute',
  unknown: 'mute',
};
