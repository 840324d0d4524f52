// The texts of the tray, without Electron: the receiver's state, and how many callbacks arrived since the user last looked.
import { plural } from '@rainbell/shared';
import type { AppStatus } from '@rainbell/contract/app-rpc';
import type { HostNotice } from '@rainbell/core';

export function formatUnread(count: number): string {
  return plural(count, ['# new callback', '# new callbacks']);
}

export function formatTray({ receiver }: Pick<AppStatus, 'receiver'>, unreadCount: number, isPaused: boolean) {
  const receiverText = isPaused ? 'receiver is paused and responds with 503' : formatReceiverState(receiver);
  const unread = formatUnread(unreadCount);
  return {
    receiver: receiverText,
    unread,
    tooltip: unreadCount === 0 ? `Rainbell – ${receiverText}` : `Rainbell – ${unread} – ${receiverText}`,
  };
}

function formatReceiverState({ state, baseUrl }: AppStatus['receiver']): string {
  if (state === 'listening') {
    return baseUrl === null ? 'receiver on an unknown port' : `receiver on ${baseUrl.replace(/^https?:\/\//, '')}`;
  }
  return state === 'starting' ? 'receiver is starting' : 'receiver is not listening';
}

/** Explains to a user who closed the last window that the app still runs, how to open a window, and how to quit. */
export function closingNotice(platform: NodeJS.Platform): HostNotice {
  return {
    title: 'Rainbell is still receiving callbacks',
    body:
      platform === 'darwin'
        ? 'Click here, the Dock icon, or the menu bar icon to open a window. To quit, choose Quit in the menu bar icon’s menu.'
        : 'Click here, use the tray icon, or start Rainbell again to open a window. To quit, choose Quit in the tray icon’s menu or in a window’s File menu.',
  };
}
