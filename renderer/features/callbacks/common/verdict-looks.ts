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

type VerdictLook = { tone: 'good' | 'warn' | 'bad' | 'mute'; Icon: TablerIcon };

export const verdictLooks: Readonly<Record<VerdictName, VerdictLook>> = {
  verified: { tone: 'good', Icon: IconCircleCheck },
  'too-soon': { tone: 'warn', Icon: IconClock },
  'out-of-order': { tone: 'warn', Icon: IconArrowsSort },
  invalid: { tone: 'bad', Icon: IconCircleX },
  unsigned: { tone: 'mute', Icon: IconLockOpen },
  'unknown-secret': { tone: 'bad', Icon: IconKey },
  signed: { tone: 'mute', Icon: IconLock },
  handshake: { tone: 'mute', Icon: IconHeartHandshake },
  request: { tone: 'mute', Icon: IconCircleMinus },
  refused: { tone: 'mute', Icon: IconBan },
  unknown: { tone: 'mute', Icon: IconHelpCircle },
};
