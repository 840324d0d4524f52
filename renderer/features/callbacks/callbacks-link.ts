// The callbacks in a link: `#/callbacks/21079?q=status:5xx&tab=headers`.
import { choiceField, linkCodec, numberField, textField } from '#renderer/store/link-codec.ts';
import { screenLink } from '#renderer/store/screen-link.ts';
import { callbackTabs } from './common/callbacks-slice.ts';

/** As in `callbacks.search` (contract/app-rpc/callbacks.ts). */
const longestQuery = 2000;

export const callbacksCodec = linkCodec({
  item: numberField('a callback number'),
  q: textField(longestQuery),
  tab: choiceField(callbackTabs, 'body'),
});

export const callbacksLink = screenLink({
  codec: callbacksCodec,
  read: ({ callbacks, callbackSearch }) => ({
    item: callbacks.selectedId,
    q: callbackSearch.query,
    tab: callbacks.tab,
  }),
  open({ callbacks, callbackSearch }, { item, q, tab }) {
    if (item !== callbacks.selectedId) void callbacks.select(item);
    if (q !== callbackSearch.query) void callbackSearch.ask(q);
    callbacks.showTab(tab);
  },
});
