import { IconArrowsExchange } from '@tabler/icons-react';
import { lazy } from 'react';
import type { Feature } from '../../store/app-state.ts';
import { choiceField, flagField, linkCodec, numberField, patternField, textField } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { createTrafficSlice, type TrafficFilter, trafficTabs } from './traffic-slice.ts';

const slices = { traffic: createTrafficSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

/** `#/traffic/512?q=weather&kind=api&failed=1&tab=headers` */
const trafficLink = screenLink({
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
    const isSame = (Object.keys(filter) as (keyof TrafficFilter)[]).every(
      (name) => filter[name] === traffic.filter[name],
    );
    if (!isSame) void traffic.setFilter(filter);
    if (item !== traffic.selectedId) void traffic.select(item);
    traffic.showTab(tab);
  },
});

export const traffic: Feature = {
  slices,
  screen: {
    name: 'traffic',
    title: 'Traffic',
    View: lazy(async () => ({ default: (await import('./TrafficScreen.tsx')).TrafficScreen })),
    link: trafficLink,
    navigation: { order: 50, Icon: IconArrowsExchange },
  },
  notices: {
    traffic(store) {
      const { frame, traffic } = store.getState();
      if (frame.screen === 'traffic') void traffic.loadNew();
    },
  },
};
