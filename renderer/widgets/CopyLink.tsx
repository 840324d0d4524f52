// Copies a link to the content of the screen, or to one item of it. The desktop app's links have their own scheme; in a browser
// they are the page's URL. A link to a service's data names its connection by ID, so that a user with another connection sees this.
import { selectActiveId } from '../features/connections/selectors.ts';
import { IconLink } from '@tabler/icons-react';
import type { Screen } from '../store/app-state.ts';
import { useApp } from '../store/use-app.ts';
import { CopyIcon } from '../ui/controls/CopyIcon.tsx';

type Props = {
  /** The default is the screen as it is. */
  label?: string;
  /** Only this item of the screen: a callback, a section. */
  item?: string | number;
};

const ofService: ReadonlySet<Screen> = new Set(['forecast', 'monitors', 'access']);

export function CopyLink({ label, item }: Readonly<Props>) {
  const screen = useApp((state) => state.frame.screen);
  const connectionId = useApp(selectActiveId);
  const text = () => {
    const hash = item === undefined ? location.hash : `#/${screen}/${encodeURIComponent(item)}`;
    const via = connectionId !== null && ofService.has(screen) ? `via=${connectionId}` : '';
    return linkOf(via === '' ? hash : `${hash}${hash.includes('?') ? '&' : '?'}${via}`);
  };
  return <CopyIcon text={text} label={label ?? 'Copy link'} icon={<IconLink size={16} />} />;
}

function linkOf(hash: string): string {
  // As in app/client.ts: the desktop app's screens are served from the host `rainbell`.
  if (location.hostname === 'rainbell') return `rainbell://${hash.slice('#/'.length)}`;
  return `${location.origin}${location.pathname}${hash}`;
}
