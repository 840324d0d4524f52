// The settings in a link: `#/settings/receiver`.
import { settingSections } from '@rainbell/contract/app-rpc';
import { linkCodec, choiceField } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';
import { sectionIn } from '../../store/sections.ts';

const sections = Object.keys(settingSections) as (keyof typeof settingSections)[];

export const settingsCodec = linkCodec({ item: choiceField(sections, null) });

export const settingsLink = screenLink({
  codec: settingsCodec,
  read: ({ frame }) => ({ item: sectionIn(frame.sections.settings, sections) }),
  open: ({ frame }, { item }) => frame.openSection('settings', item),
});
