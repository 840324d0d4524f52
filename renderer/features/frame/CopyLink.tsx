// Copies a link to the content of the screen, with what is open there. The desktop app's links have their own scheme; in a browser
// they are the page's URL. A link to a service's data names its connection by ID, so that a user with another connection sees this.
import { selectActiveId } from '../connections/selectors.ts';
import { IconLink } from '@tabler/icons-react';
import type { Screen } from '../../store/app-state.ts';
import { useApp } from '../../store/use-app.ts';
import { CopyIcon } from '../../ui/controls/CopyIcon.tsx';

const ofService: ReadonlySet<Screen> = new Set(['forecast', 'monitors', 'events', 'access']);

export function CopyLink() {
  const screen = useApp((state) => state.frame.screen);
  const connectionId = useApp(selectActiveId);
  const text = () => {
    const { hash } = location;
    const isNamed = connectionId !== null && ofService.has(screen);
    return linkOf(isNamed ? `${hash}${hash.includes('?') ? '&' : '?'}via=${connectionId}` : hash);
  };
  return <CopyIcon text={text} label="Copy link" icon={<IconLink size={18} />} isQuiet />;
}

function linkOf(hash: string): string {
  // As in app/client.ts: the desktop app's screens are served from the host `rainbell`.
  if (location.hostname === 'rainbell') return `rainbell://${hash.slice('#/'.length)}`;
  return `${location.origin}${location.pathname}${hash}`;
}
