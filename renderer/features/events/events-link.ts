// The events in a link: `#/events/evt_1?range=week&state=failed&host=hooks.example.com&view=hosts`.
import { choiceField, linkCodec, patternField, textField } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';
import { eventRanges, eventViews, lastDay, shownStates } from './events-slice.ts';

const minute = patternField(
  /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/,
  (text) => `“${text}” must be a time such as 2026-11-28T00:00Z.`,
);
const minuteField: typeof minute = {
  ...minute,
  parse: (text) => (Number.isNaN(Date.parse(text)) ? undefined : minute.parse(text)),
};

export const eventsLink = screenLink({
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
