// Access in a link: `#/access/sign-in?way=password`.
import type { SignInMethod } from '@rainbell/contract/app-rpc';
import { linkCodec, choiceField } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';
import { accessSections, sectionIn } from '../../store/sections.ts';

const ways = [
  'authorization_code',
  'implicit',
  'client_credentials',
  'password',
] as const satisfies readonly SignInMethod[];

export const accessCodec = linkCodec({ item: choiceField(accessSections, null), way: choiceField(ways, null) });

export const accessLink = screenLink({
  codec: accessCodec,
  read: ({ frame, session }) => ({ item: sectionIn(frame.sections.access, accessSections), way: session.way }),
  open({ frame, session }, { item, way }) {
    frame.openSection('access', item);
    session.showMethod(way);
  },
});
