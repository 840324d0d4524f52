// A link to a section of the help: `#/help/callbacks?at=search-callbacks`.
import { linkCodec, textField } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';

const page = { ...textField(60), parse: (text: string) => (/^[a-z-]{1,60}$/.test(text) ? text : undefined) };

export const maxSearchLength = 200;

export const helpLink = screenLink({
  codec: linkCodec<{ item: string; at: string; q: string }>({
    item: { ...page, absent: 'start', problem: (text) => `“${text}” must be the name of a help page.` },
    at: textField(120),
    q: textField(maxSearchLength),
  }),
  read: ({ help }) => ({ item: help.page, at: help.section, q: help.search }),
  open({ help }, { item, at, q }) {
    help.open(item, at);
    help.setSearch(q);
  },
  isStep: (before, after) => before.item !== after.item || before.at !== after.at,
});
