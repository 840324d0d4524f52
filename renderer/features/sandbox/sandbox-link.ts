// The sandbox in a link: `#/sandbox/clock`.
import { linkCodec, choiceField } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';
import { sandboxSections, sectionIn } from '../../store/sections.ts';

export const sandboxCodec = linkCodec({ item: choiceField(sandboxSections, null) });

export const sandboxLink = screenLink({
  codec: sandboxCodec,
  read: ({ frame }) => ({ item: sectionIn(frame.sections.sandbox, sandboxSections) }),
  open: ({ frame }, { item }) => frame.openSection('sandbox', item),
});
