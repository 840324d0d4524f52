// The colors and symbols of verdicts on screens.
import {
  IconArrowsSort,
  IconBan,
  IconCircleCheck,
  IconCircleMinus,
  IconCircleX,
  IconClock,
  IconHeartHandshake,
  IconHelpCircle,
  IconKey,
  IconLock,
  IconLockOpen,
  type TablerIcon,
} from '@tabler/icons-react';
import type { VerdictName } from '@rainbell/contract/app-rpc';

type VerdictTone = 'good' | 'warn' | 'bad' | 'mute';

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

export const verdictIcons: Readonly<Record<VerdictName, TablerIcon>> = {
  verified: IconCircleCheck,
  'too-soon': IconClock,
  'out-of-order': IconArrowsSort,
  invalid: IconCircleX,
  unsigned: IconLockOpen,
  'unknown-secret': IconKey,
  signed: IconLock,
  handshake: IconHeartHandshake,
  request: IconCircleMinus,
  refused: IconBan,
  unknown: IconHelpCircle,
};
