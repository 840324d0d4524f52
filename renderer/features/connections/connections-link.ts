// The connections in a link: `#/connections/sandbox` scrolls to one. It never puts a connection into use.
import { linkCodec, patternField } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';

export const connectionsCodec = linkCodec({
  item: patternField(/^[a-z0-9-]{1,40}$/, (text) => `“${text}” must be a connection ID.`),
});

export const connectionsLink = screenLink({
  codec: connectionsCodec,
  read: ({ frame }) => ({ item: frame.sections.connections ?? null }),
  open: ({ frame }, { item }) => frame.openSection('connections', item),
});
