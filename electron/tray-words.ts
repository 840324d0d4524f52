// What the tray says, decided apart from the tray: the receiver's state and how many callbacks came since the person last
// looked.
import type { AppStatus } from '#contract/procedures/app.ts';
import type { ReceiverRules } from '#contract/procedures/rules.ts';

export type TrayWords = { tooltip: string; receiver: string; unread: string };

type Pause = ReceiverRules['pause'];

export function trayWords(
  { receiver }: Pick<AppStatus, 'receiver'>,
  unreadCount: number,
  pause: Pause = 'off',
): TrayWords {
  const receiverWords = pause === 'off' ? receiverStateWords(receiver) : pauseWords[pause];
  const unread = unreadCount === 1 ? '1 new callback' : `${unreadCount} new callbacks`;
  return {
    receiver: receiverWords,
    unread,
    tooltip: unreadCount === 0 ? `Rainbell – ${receiverWords}` : `Rainbell – ${unread} – ${receiverWords}`,
  };
}

const pauseWords = {
  refuse: 'receiver is paused and answers 503',
  drop: 'receiver is paused and drops what arrives',
} as const;

function receiverStateWords({ state, baseUrl }: AppStatus['receiver']): string {
  if (state === 'listening') return `receiver on ${baseUrl?.replace(/^https?:\/\//, '') ?? 'an unknown port'}`;
  return state === 'starting' ? 'receiver is starting' : 'receiver is not listening';
}
