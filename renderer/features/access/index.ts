import { IconKey } from '@tabler/icons-react';
import { lazy } from 'react';
import type { SignInMethod } from '@rainbell/contract/app-rpc';
import type { Feature } from '../../store/app-state.ts';
import { choiceField, linkCodec } from '../../store/link-codec.ts';
import { screenLink, sectionIn } from '../../store/screen-link.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { createSessionSlice } from './session-slice.ts';

const slices = { session: createSessionSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

const sections = ['application', 'user', 'sign-in', 'log'] as const;
const ways = [
  'authorization_code',
  'implicit',
  'client_credentials',
  'password',
] as const satisfies readonly SignInMethod[];

/** `#/access/sign-in?way=password` */
const link = screenLink({
  codec: linkCodec({ item: choiceField(sections, null), way: choiceField(ways, null) }),
  read: ({ frame, session }) => ({ item: sectionIn(frame.sections.access, sections), way: session.way }),
  open({ frame, session }, { item, way }) {
    frame.openSection('access', item);
    session.showMethod(way);
  },
});

export const access: Feature = {
  slices,
  screen: {
    name: 'access',
    title: 'Access',
    View: lazy(async () => ({ default: (await import('./AccessScreen.tsx')).AccessScreen })),
    link,
    isOfService: true,
    navigation: { order: 40, Icon: IconKey, place: 'rest' },
  },
  notices: {
    session(store) {
      const { frame, session } = store.getState();
      if (frame.screen === 'access') void session.load();
    },
  },
};
