// What the tray says, decided apart from the tray: the receiver's state and how many callbacks came since the person last
// looked.
import type { AppStatus } from '#contract/procedures/app.ts';

export type TrayWords = { tooltip: string; receiver: string; unread: string };

export function trayWords({ receiver }: Pick<AppStatus, 'receiver'>, unreadCount: number): TrayWords {
  const receiverWords = receiverStateWords(receiver);
  const unread = unreadCount === 1 ? '1 new callback' : `${unreadCount} new callbacks`;
  return {
    receiver: receiverWords,
    unread,
    tooltip: unreadCount === 0 ? `Rainbell – ${receiverWords}` : `Rainbell – ${unread} – ${receiverWords}`,
  };
}

function receiverStateWords({ state, baseUrl }: AppStatus['receiver']): string {
  if (state === 'listening') return `receiver on ${baseUrl?.replace(/^https?:\/\//, '') ?? 'an unknown port'}`;
  return state === 'starting' ? 'receiver is starting' : 'receiver is not listening';
}
