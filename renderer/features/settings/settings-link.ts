// The settings in a link: `#/settings/receiver`.
import { linkCodec, optionalChoiceField } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';
import { sectionIn, settingsSections } from '../../store/sections.ts';

export const settingsCodec = linkCodec({ item: optionalChoiceField(settingsSections) });

export const settingsLink = screenLink({
  codec: settingsCodec,
  read: ({ frame }) => ({ item: sectionIn(frame.sections.settings, settingsSections) }),
  open: ({ frame }, { item }) => frame.openSection('settings', item),
});
