// Starts what the window does in addition to its screens, after the first one has its data.
import type { AppStore } from '#renderer/store/app-state.ts';
import { showUnread } from './show-unread.ts';
import { startAutoRefresh } from './start-auto-refresh.ts';

export function afterStart(store: AppStore, page: Window): void {
  showUnread(store, page);
  startAutoRefresh(store, page);
}
