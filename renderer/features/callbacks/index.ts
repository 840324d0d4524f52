import { IconBroadcast } from '@tabler/icons-react';
import { lazy } from 'react';
import type { UnreadCallbacks } from '@rainbell/contract/app-rpc';
import type { AppState, AppStore, Feature } from '../../store/app-state.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { callbacksLink } from './callbacks-link.ts';
import { createCallbacksSlice } from './common/callbacks-slice.ts';
import { createCallbackServiceSlice } from './common/service-slice.ts';
import { createCallbackFilesSlice } from './list/files-slice.ts';
import { createCallbackSelectionSlice } from './list/selection-slice.ts';
import { createReceiverSlice } from './receiver/receiver-slice.ts';
import { createCallbackSearchSlice } from './search/search-slice.ts';
import { openCallback } from './selectors.ts';
import { createCallbackSendsSlice } from './send/sends-slice.ts';

const slices = {
  callbacks: createCallbacksSlice,
  callbackSearch: createCallbackSearchSlice,
  callbackSelection: createCallbackSelectionSlice,
  callbackFiles: createCallbackFilesSlice,
  callbackSends: createCallbackSendsSlice,
  callbackService: createCallbackServiceSlice,
  receiver: createReceiverSlice,
};
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const callbacks: Feature = {
  slices,
  screen: {
    name: 'callbacks',
    title: 'Callbacks',
    View: lazy(async () => ({ default: (await import('./CallbacksScreen.tsx')).CallbacksScreen })),
    link: callbacksLink,
    navigation: {
      order: 30,
      Icon: IconBroadcast,
      count: (state) => state.callbacks.unread.count,
      isMore: (state) => state.callbacks.unread.isMore,
      countForms: ['# unread', '# unread'],
      isNew: true,
    },
  },
  commands: (store) => ({ 'callbacks.newest': () => openNewest(store) }),
  isCommandHidden: ({ callbacks }, id) => callbacks.total === 0 && /^callback\.|^callbacks\.newest$/.test(id),
  notices: {
    callbacks(store) {
      const { loadUnread, loadNew } = store.getState().callbacks;
      void loadUnread();
      void loadNew().then(() => {
        const search = store.getState().callbackSearch;
        if (!search.isWhole) void search.loadNew();
      });
    },
    'callback-changes'(store, { version }) {
      // Also reports the current state at first.
      if (version === 0) return;
      const { callbacks, callbackSearch } = store.getState();
      void callbacks.reread().then(callbackSearch.refresh);
      void callbacks.loadUnread();
    },
    'callback-outcomes'(store, { version }) {
      if (version > 0) void store.getState().callbacks.readOutcomes();
    },
    'callbacks-read': (store) => void store.getState().callbacks.loadUnread(),
    replay: (store) => void store.getState().callbackSends.loadRun(),
    'show-callback'(store, { version, id }) {
      if (version > 0) openCallback(store.getState(), id);
    },
  },
  readFromApp({ callbacks }) {
    void callbacks.loadNew();
    void callbacks.loadUnread();
  },
  start: showUnread,
};

async function openNewest(store: AppStore): Promise<void> {
  store.getState().frame.goTo('callbacks');
  await store.getState().callbacks.loadNew();
  const { callbacks } = store.getState();
  if (callbacks.newestId() > 0) await callbacks.select(callbacks.newestId());
}

const unreadIcon = './rainbell-unread.svg';

/** The tab's title and icon show how many are unread, so that a tab in the background shows that one arrived. */
function showUnread(store: AppStore, page: Window): void {
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
