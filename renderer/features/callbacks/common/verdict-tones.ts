// The colors of verdicts on screens.
import type { VerdictName } from '@rainbell/contract/app-rpc';

export type VerdictTone = 'good' | 'warn' | 'bad' | 'mute';

export const verdictTones: Readonly<Record<VerdictName, VerdictTone>> = {
  verified: 'good',
  'too-soon': 'warn',
  'out-of-order': 'warn',
  invalid: 'bad',
  unsigned: 'mute',
  'unknown-secret': 'bad',
  signed: 'mute',
  handshake: 'mute',
  request: 'mute',
  refused: 'mute',
  unknown: 'mute',
};
