import { IconPlugConnected } from '@tabler/icons-react';
import { lazy } from 'react';
import type { Feature } from '../../store/app-state.ts';
import { linkCodec, patternField, textField } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { createConnectionsSlice } from './connections-slice.ts';

const slices = { connections: createConnectionsSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

/**
 * `#/connections/sandbox` scrolls to one, and `#/connections/new?url=…&client=…`, from a service's website, opens the form of a new one.
 * A link never puts a connection into use.
 */
const link = screenLink({
  codec: linkCodec({
    item: patternField(/^[a-z0-9-]{1,40}$/, (text) => `“${text}” must be a connection ID.`),
    url: textField(500),
    client: textField(200),
  }),
  read: ({ frame }) => ({ item: frame.sections.connections ?? null, url: '', client: '' }),
  open({ frame, connections }, { item, url, client }) {
    frame.openSection('connections', item === 'new' ? null : item);
    if (item === 'new') connections.openEditor({ kind: 'create', baseUrl: url, clientId: client });
  },
});

export const connections: Feature = {
  slices,
  screen: {
    name: 'connections',
    title: 'Connections',
    View: lazy(async () => ({ default: (await import('./ConnectionsScreen.tsx')).ConnectionsScreen })),
    link,
    navigation: { order: 70, Icon: IconPlugConnected, place: 'end' },
  },
  dialogs: [
    {
      isOpen: (state) => state.connections.editor !== null,
      View: lazy(async () => ({ default: (await import('./ConnectionDialog.tsx')).ConnectionDialog })),
    },
  ],
  commands: (store) => ({ 'connections.new': () => store.getState().connections.openEditor({ kind: 'create' }) }),
  notices: { connections: (store) => void store.getState().connections.load() },
  readFromApp: (state) => void state.connections.load(),
};
