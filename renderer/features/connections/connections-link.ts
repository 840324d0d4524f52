// The connections in a link: `#/connections/sandbox` scrolls to one, and `#/connections/new?url=…&client=…`, from a service's website,
// opens the form of a new one. A link never puts a connection into use.
import { linkCodec, patternField, textField } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';

export const connectionsLink = screenLink({
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
