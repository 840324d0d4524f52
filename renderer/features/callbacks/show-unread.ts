// The tab's title and icon show how many callbacks are unread, so that a tab in the background says that one arrived.
import type { UnreadCallbacks } from '@rainbell/contract/app-rpc';
import type { AppState, AppStore } from '../../store/app-state.ts';

const unreadIcon = './rainbell-unread.svg';

export function showUnread(store: AppStore, page: Window): void {
  const icon = page.document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const defaultIcon = icon?.href;
  const defaultTitle = page.document.title;
  let shown: UnreadCallbacks | undefined;
  const show = ({ callbacks: { unread } }: AppState) => {
    if (unread === shown) return;
    shown = unread;
    const { count, isMore } = unread;
    const isAny = count > 0;
    page.document.title = isAny ? `(${count}${isMore ? '+' : ''}) ${defaultTitle}` : defaultTitle;
    if (icon && defaultIcon !== undefined) icon.href = isAny ? unreadIcon : defaultIcon;
  };
  show(store.getState());
  store.subscribe(show);
}
