// Access in a link: `#/access/sign-in?way=password`.
import type { SignInMethod } from '@rainbell/contract/app-rpc';
import { linkCodec, choiceField } from '../../store/link-codec.ts';
import { screenLink, sectionIn } from '../../store/screen-link.ts';

const sections = ['application', 'user', 'sign-in', 'log'] as const;

const ways = [
  'authorization_code',
  'implicit',
  'client_credentials',
  'password',
] as const satisfies readonly SignInMethod[];

export const accessLink = screenLink({
  codec: linkCodec({ item: choiceField(sections, null), way: choiceField(ways, null) }),
  read: ({ frame, session }) => ({ item: sectionIn(frame.sections.access, sections), way: session.way }),
  open({ frame, session }, { item, way }) {
    frame.openSection('access', item);
    session.showMethod(way);
  },
});
