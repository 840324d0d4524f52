// The monitors in a link: `#/monitors/precipitation_2?q=torino&state=failing&sort=-last&map=1`.
import {
  choiceField,
  flagField,
  linkCodec,
  type LinkField,
  patternField,
  textField,
} from '#renderer/store/link-codec.ts';
import { screenLink } from '#renderer/store/screen-link.ts';
import {
  type MonitorSort,
  monitorSortKeys,
  type MonitorState,
  monitorStates,
  usualView,
} from './common/monitor-view.ts';

const states = Object.keys(monitorStates) as MonitorState[];

export const monitorsCodec = linkCodec({
  // Other services have IDs of their own form.
  item: patternField(/^[\w.:~@+-]{1,200}$/, 'a monitor ID'),
  q: textField(200),
  state: choiceField(states, usualView.state),
  sort: sortField(),
  map: flagField,
});

export const monitorsLink = screenLink({
  codec: monitorsCodec,
  read: ({ monitors: { selectedId, view } }) => ({
    item: selectedId,
    q: view.text,
    state: view.state,
    sort: view.sort,
    map: view.isMapOpen,
  }),
  open({ monitors }, { item, q, state, sort, map }) {
    if (item !== monitors.selectedId) monitors.select(item);
    monitors.dropUnknownSelection();
    monitors.setView({ text: q, state, sort, isMapOpen: map });
  },
});

/** The column, with a minus if it is descending. */
function sortField(): LinkField<MonitorSort> {
  return {
    absent: usualView.sort,
    expected: `one of ${monitorSortKeys.join(', ')}, with a minus to reverse the order`,
    parse(text) {
      const by = monitorSortKeys.find((key) => key === text.replace(/^-/, ''));
      return by && { by, isDescending: text.startsWith('-') };
    },
    format: ({ by, isDescending }) => (by === 'name' && !isDescending ? null : `${isDescending ? '-' : ''}${by}`),
  };
}
