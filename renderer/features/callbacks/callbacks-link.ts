// The callbacks in a link: `#/callbacks/21079?q=status:5xx&range=1h&verdict=too-soon&tab=headers`.
import { callbackOrders, type VerdictName, verdictNames } from '@rainbell/contract/app-rpc';
import { choiceField, linkCodec, type LinkField, numberField, textField } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';
import { callbackTabs } from './common/callbacks-slice.ts';
import { type CallbackView, isSameView, rangeNames, type TimeSpan } from './common/callback-view.ts';

const verdictField: LinkField<readonly VerdictName[]> = {
  absent: [],
  problem: (text) => `“${text}” must be one of ${verdictNames.join(', ')}.`,
  parse(text) {
    const names = text.split(',');
    const known = verdictNames.filter((name) => names.includes(name));
    return known.length === names.length ? known : undefined;
  },
  format: (names) => (names.length === 0 ? null : names.join(',')),
};

/** Two times in UTC: `2026-11-21T16:48:00.000Z~2026-11-21T17:05:00.000Z`. */
const spanField: LinkField<TimeSpan | null> = {
  absent: null,
  problem: (text) => `“${text}” must be two timestamps, the earlier one first.`,
  parse(text) {
    const [from, to] = text.split('~').map((time) => Date.parse(time));
    return from !== undefined && to !== undefined && from < to ? { from, to } : undefined;
  },
  format: (span) => span && `${new Date(span.from).toISOString()}~${new Date(span.to).toISOString()}`,
};

export const callbacksLink = screenLink({
  codec: linkCodec({
    item: numberField((text) => `“${text}” must be a callback number.`),
    // The limit of `callbacks.search` (contract/app-rpc/callbacks.ts).
    q: textField(2000),
    range: choiceField(rangeNames, 'all'),
    time: spanField,
    verdict: verdictField,
    order: choiceField(callbackOrders, 'newest'),
    tab: choiceField(callbackTabs, 'body'),
  }),
  read: ({ callbacks, callbackSearch }) => ({
    item: callbacks.selectedId,
    q: callbackSearch.query,
    range: callbackSearch.range,
    time: callbackSearch.span,
    verdict: callbackSearch.verdicts,
    order: callbackSearch.order,
    tab: callbacks.tab,
  }),
  open({ callbacks, callbackSearch }, { item, q, range, time, verdict, order, tab }) {
    if (item !== callbacks.selectedId) void callbacks.select(item);
    const view: CallbackView = { query: q, range, span: time, verdicts: verdict, order };
    if (!isSameView(view, callbackSearch)) void callbackSearch.show(view);
    callbacks.showTab(tab);
  },
});
