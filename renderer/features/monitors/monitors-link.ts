// The monitors in a link: `#/monitors/precipitation_2?q=tag%3Aport&state=failing&sort=-last&map=1`.
import { choiceField, flagField, linkCodec, type LinkField, patternField, textField } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';
import {
  defaultView,
  monitorConditions,
  type MonitorSort,
  monitorSortKeys,
  type MonitorView,
} from './common/monitor-list-slice.ts';

const viewFields = {
  q: textField(1000),
  state: choiceField(monitorConditions, defaultView.state),
  sort: sortField(),
  map: flagField,
};

const viewCodec = linkCodec(viewFields);

export const monitorsCodec = linkCodec({
  // Other services have IDs of their own form.
  item: patternField(/^[\w.:~@+-]{1,200}$/, (text) => `“${text}” must be a monitor ID.`),
  ...viewFields,
});

export const monitorsLink = screenLink({
  codec: monitorsCodec,
  read: ({ monitors: { selectedId, view } }) => ({ item: selectedId, ...partsOf(view) }),
  open({ monitors }, { item, ...parts }) {
    if (item !== monitors.selectedId) monitors.select(item);
    monitors.dropUnknownSelection();
    monitors.setView(viewOf(parts));
  },
});

/** A view as the query of its link. */
export function formatView(view: MonitorView): string {
  return viewCodec.format(partsOf(view)).query.toString();
}

/** The view of a link's query; what it does not say is as usual. */
export function parseView(query: string): MonitorView {
  return viewOf(viewCodec.parse({ item: null, query: new URLSearchParams(query) }).value);
}

type Parts = { q: string; state: MonitorView['state']; sort: MonitorSort; map: boolean };

function partsOf({ text, state, sort, isMapOpen }: MonitorView): Parts {
  return { q: text, state, sort, map: isMapOpen };
}

function viewOf({ q, state, sort, map }: Parts): MonitorView {
  return { text: q, state, sort, isMapOpen: map };
}

/** The column, with a minus if it is descending. */
function sortField(): LinkField<MonitorSort> {
  return {
    absent: defaultView.sort,
    problem: (text) =>
      `“${text}” must be one of ${monitorSortKeys.join(', ')}, with a minus sign in front to reverse the order.`,
    parse(text) {
      const by = monitorSortKeys.find((key) => key === text.replace(/^-/, ''));
      return by && { by, isDescending: text.startsWith('-') };
    },
    format: ({ by, isDescending }) => (by === 'name' && !isDescending ? null : `${isDescending ? '-' : ''}${by}`),
  };
}
