import { IconHistory } from '@tabler/icons-react';
import { lazy } from 'react';
import type { Feature } from '../../store/app-state.ts';
import { choiceField, linkCodec, patternField, textField } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { selectServiceOffers } from '../monitors/selectors.ts';
import { createEventsSlice, eventRanges, eventViews, lastDay, shownStates } from './events-slice.ts';

const slices = { events: createEventsSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

const minute = patternField(
  /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/,
  (text) => `“${text}” must be a time such as 2026-11-28T00:00Z.`,
);
const minuteField: typeof minute = {
  ...minute,
  parse: (text) => (Number.isNaN(Date.parse(text)) ? undefined : minute.parse(text)),
};

/** `#/events/evt_1?range=week&state=failed&host=hooks.example.com&view=hosts` */
const eventsLink = screenLink({
  codec: linkCodec({
    item: patternField(/^[\w.:-]{1,100}$/, (text) => `“${text}” must be an event ID.`),
    q: textField(200),
    range: choiceField(eventRanges, lastDay.range),
    from: minuteField,
    to: minuteField,
    state: choiceField(shownStates, lastDay.state),
    host: textField(260),
    front: textField(100),
    view: choiceField(eventViews, 'events'),
  }),
  read: ({ events: { selectedId, filter, text, view } }) => ({ item: selectedId, q: text, view, ...filter }),
  open({ events }, { item, q, view, ...filter }) {
    const isSame = (Object.keys(filter) as (keyof typeof filter)[]).every(
      (name) => filter[name] === events.filter[name],
    );
    if (!isSame) void events.setFilter(filter);
    void events.setText(q);
    events.select(item);
    events.showAs(view);
  },
  isStep: (before, after) => before.item !== after.item || before.view !== after.view || before.host !== after.host,
});

export const events: Feature = {
  slices,
  screen: {
    name: 'events',
    title: 'Events',
    View: lazy(async () => ({ default: (await import('./EventsScreen.tsx')).EventsScreen })),
    link: eventsLink,
    isOfService: true,
    navigation: {
      order: 25,
      Icon: IconHistory,
      place: 'rest',
      isShown: (state) => selectServiceOffers(state) !== null,
    },
  },
  dialogs: [
    {
      isOpen: (state) => state.events.resending !== null,
      View: lazy(async () => ({ default: (await import('./ResendDialog.tsx')).ResendDialog })),
    },
  ],
  afterChange(state, before) {
    const isNew = selectServiceOffers(state)?.byMonitor !== selectServiceOffers(before)?.byMonitor;
    if (isNew && state.frame.screen === 'events') void state.events.refresh();
  },
};
