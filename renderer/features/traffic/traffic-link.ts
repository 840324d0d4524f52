// The traffic in a link: `#/traffic/512?q=weather&kind=api&failed=1&tab=headers`.
import { choiceField, flagField, linkCodec, numberField, patternField, textField } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';
import { allTraffic, trafficTabs, type TrafficFilter } from './traffic-slice.ts';

export const trafficLink = screenLink({
  codec: linkCodec({
    item: numberField((text) => `“${text}” must be a request number.`),
    q: textField(200),
    kind: choiceField(['any', 'api', 'token'] as const, 'any'),
    connection: patternField(/^[a-z0-9-]{1,40}$/, (text) => `“${text}” must be a connection ID.`),
    failed: flagField,
    background: flagField,
    tab: choiceField(trafficTabs, 'answer'),
  }),
  read: ({ traffic: { selectedId, filter, tab } }) => ({
    item: selectedId,
    q: filter.text,
    kind: filter.kind,
    connection: filter.connectionId,
    failed: filter.failedOnly,
    background: filter.includesBackground,
    tab,
  }),
  open({ traffic }, { item, q, kind, connection, failed, background, tab }) {
    const filter: TrafficFilter = {
      text: q,
      kind,
      connectionId: connection,
      failedOnly: failed,
      includesBackground: background,
    };
    if (!isSame(filter, traffic.filter)) void traffic.setFilter(filter);
    if (item !== traffic.selectedId) void traffic.select(item);
    traffic.showTab(tab);
  },
});

function isSame(one: TrafficFilter, other: TrafficFilter): boolean {
  return (Object.keys(allTraffic) as (keyof TrafficFilter)[]).every((name) => one[name] === other[name]);
}
