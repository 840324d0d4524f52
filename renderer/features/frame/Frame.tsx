// The frame around every screen: header, navigation with counts, status bar, and the notice when the connection to core is lost.
import { selectActiveConnection, selectActiveId } from '../connections/selectors.ts';
import { UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconLink, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { useApp, useAppStore } from '../../store/use-app.ts';
import classes from './Frame.module.css';
import { ConnectionMenu } from '../connections/ConnectionMenu.tsx';
import { Navigation } from './Navigation.tsx';
import { StatusBar } from './StatusBar.tsx';
import { HeaderTools } from './HeaderTools.tsx';
import { AppNotices } from './AppNotices.tsx';
import type { Screen } from '../../store/app-state.ts';
import { CopyIcon } from '../../ui/controls/CopyIcon.tsx';
import { KeyText } from '../../ui/text/KeyText.tsx';

type Props = { children: ReactNode; onReconnect: () => void };

export function Frame({ children, onReconnect }: Readonly<Props>) {
  usePaletteKey();
  const openPalette = useApp((state) => state.frame.openPalette);
  const isProduction = useApp((state) => selectActiveConnection(state)?.color === 'red');
  return (
    <div className={classes.frame}>
      <ThemeSync />
      <a href="#rb-main" className={classes.skip} onClick={skipToMain}>
        Skip to main content
      </a>
      <header className={classes.header} data-production={isProduction || undefined}>
        <div className="rb-row rb-break">
          <div className="rb-row rb-fixed">
            <Logo />
            <span className={`rb-strong ${classes.name}`}>Rainbell</span>
          </div>
          <ConnectionMenu />
        </div>
        <UnstyledButton
          className={`rb-row rb-dim ${classes.search}`}
          onClick={() => openPalette(true)}
          aria-keyshortcuts="Control+K Meta+K"
        >
          <IconSearch size={16} aria-hidden />
          <span className="rb-truncate" title="Search places, commands">
            Search places, commands
          </span>
          <span aria-hidden className="rb-row rb-fixed rb-tight rb-end">
            <KeyText of="Mod+K" />
          </span>
        </UnstyledButton>
        <div className={`rb-buttons ${classes.end}`}>
          <CopyLink />
          <HeaderTools />
        </div>
      </header>
      <Navigation />
      <main className={`rb-pane ${classes.main}`} id="rb-main" tabIndex={-1}>
        <AppNotices onReconnect={onReconnect} />
        <div className={`rb-pane ${classes.screen}`}>{children}</div>
      </main>
      <StatusBar />
    </div>
  );
}

function skipToMain(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById('rb-main')?.focus();
}

/** Applies the chosen theme and density; `system` follows the computer. */
function ThemeSync() {
  const theme = useApp((state) => state.settings.values.theme);
  const density = useApp((state) => state.settings.values.density);
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => setColorScheme(theme === 'system' ? 'auto' : theme), [theme, setColorScheme]);
  useEffect(() => void (document.documentElement.dataset['density'] = density), [density]);
  return null;
}

/** Ctrl K (⌘ K) opens and closes the palette from everywhere. It takes every key from then on, even while it is still loading. */
function usePaletteKey(): void {
  const store = useAppStore();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { frame } = store.getState();
      const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
      if (event.key.toLowerCase() === 'k' && isShortcut && !event.altKey) {
        event.preventDefault();
        frame.openPalette(!frame.isPaletteOpen);
        return;
      }
      const isAhead = frame.isPaletteOpen && !isShortcut && !isInPalette(event.target);
      if (!isAhead || !frame.typeAhead(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before the screens, whose own shortcuts are single letters.
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [store]);
}

function isInPalette(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-palette]') !== null;
}

/** Rainbell's mark: a bell with drops beside it. */
function Logo() {
  return (
    <svg width={24} height={24} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="var(--rb-accent-fill)" />
      <g fill="none" stroke="var(--rb-on-accent)" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
        <path d="M9.2 21.4c1.3-1.1 1.9-2.6 1.9-4.5v-2.1a4.9 4.9 0 0 1 9.8 0v2.1c0 1.9.6 3.4 1.9 4.5z" />
        <path d="M14 24.4a2.2 2.2 0 0 0 4 0M16 9.9V8.2M7.4 9.2 6 12.2M24.6 9.2l1.4 3" />
      </g>
    </svg>
  );
}

const ofService: ReadonlySet<Screen> = new Set(['forecast', 'monitors', 'events', 'access']);

/** Copies a link to the content of the screen, with what is open there. The desktop app's links have their own scheme; in a browser they are
 * the page's URL. A link to a service's data names its connection by ID, so that a user with another connection sees this. */
function CopyLink() {
  const screen = useApp((state) => state.frame.screen);
  const connectionId = useApp(selectActiveId);
  const text = () => {
    const { hash } = location;
    const isNamed = connectionId !== null && ofService.has(screen);
    const named = isNamed ? `${hash}${hash.includes('?') ? '&' : '?'}via=${connectionId}` : hash;
    // As in app/connect.ts: the desktop app's screens are served from the host `rainbell`.
    if (location.hostname === 'rainbell') return `rainbell://${named.slice('#/'.length)}`;
    return `${location.origin}${location.pathname}${named}`;
  };
  return <CopyIcon text={text} label="Copy link" icon={<IconLink size={18} />} isQuiet />;
}
