// The screens, with the number of monitors and of unread callbacks: a rail, a sidebar in wide windows, and in narrow ones a bar of
// five items, of which the last opens the rest.
import { UnstyledButton } from '@mantine/core';
import {
  IconArrowsExchange,
  IconBellRinging,
  IconBroadcast,
  IconCloudRain,
  IconDots,
  IconFlask,
  IconHelp,
  IconKey,
  IconPlugConnected,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useApp } from '../../store/use-app.ts';
import { plural } from '@rainbell/shared';
import { type Screen, screenTitles } from '../../store/screens.ts';
import { Panel } from '../../ui/controls/Panel.tsx';
import { StatusList } from './StatusBar.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';
import classes from './Navigation.module.css';

const icons: Readonly<Record<Screen, TablerIcon>> = {
  forecast: IconCloudRain,
  monitors: IconBellRinging,
  callbacks: IconBroadcast,
  access: IconKey,
  traffic: IconArrowsExchange,
  sandbox: IconFlask,
  connections: IconPlugConnected,
  settings: IconSettings,
  help: IconHelp,
};

export function Navigation({ help }: { readonly help?: ReactNode }) {
  const monitorCount = useApp((state) => state.monitors.items.filter(({ deletion }) => deletion === null).length);
  const unread = useApp((state) => state.callbacks.unread.count);
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? true);
  return (
    <nav className={`rb-column ${classes.nav}`} aria-label="Screens">
      <NavigationItem screen="forecast" />
      <NavigationItem
        screen="monitors"
        count={monitorCount}
        countText={plural(monitorCount, ['# monitor', '# monitors'])}
      />
      <NavigationItem screen="callbacks" count={unread} countText={plural(unread, ['# unread', '# unread'])} isNew />
      <NavigationItem screen="access" isRest />
      <NavigationItem screen="traffic" />
      {isSandbox && <NavigationItem screen="sandbox" isRest />}
      <span className={`rb-fill ${classes.space}`} />
      <NavigationItem screen="connections" isRest />
      <NavigationItem screen="settings" isRest />
      <More isSandbox={isSandbox} help={help} />
    </nav>
  );
}

const rest: readonly Screen[] = ['access', 'sandbox', 'connections', 'settings'];

/** What the bar of a narrow window has no room for: further screens, the status, help, and the theme. */
function More({ isSandbox, help }: { readonly isSandbox: boolean; readonly help: ReactNode }) {
  const id = useId();
  const isHere = useApp((state) => rest.includes(state.frame.screen));
  return (
    <>
      <UnstyledButton
        className={`rb-fixed rb-dim rb-medium rb-item rb-row ${classes.item} ${classes.more}`}
        aria-haspopup="dialog"
        data-here={isHere || undefined}
        popoverTarget={id}
      >
        <IconDots size={20} aria-hidden stroke={1.7} />
        <span>More</span>
      </UnstyledButton>
      <Panel id={id} label="More" align="end" className={classes.panel}>
        {rest.map(
          (screen) =>
            (screen !== 'sandbox' || isSandbox) && <NavigationItem key={screen} screen={screen} closes={id} />,
        )}
        <StatusList />
        <div className={`rb-row rb-part ${classes.tools}`}>
          {help}
          <ThemeSwitch />
        </div>
      </Panel>
    </>
  );
}

type ItemProps = {
  screen: Screen;
  count?: number;
  countText?: string;
  isNew?: boolean;
  /** Only in More if the window is narrow. */
  isRest?: boolean;
  /** The panel that it closes. */
  closes?: string;
};

function NavigationItem({ screen, count = 0, countText, isNew = false, isRest = false, closes }: Readonly<ItemProps>) {
  const isHere = useApp((state) => state.frame.screen === screen);
  const goTo = useApp((state) => state.frame.goTo);
  const Icon = icons[screen];
  const title = screenTitles[screen];
  return (
    <UnstyledButton
      className={`rb-fixed rb-dim rb-medium rb-item rb-row ${classes.item} ${isRest ? classes.rest : ''}`}
      {...(closes !== undefined && { popoverTarget: closes, popoverTargetAction: 'hide' })}
      aria-current={isHere ? 'page' : undefined}
      aria-label={count > 0 && countText !== undefined ? `${title}, ${countText}` : title}
      onClick={() => goTo(screen)}
    >
      <Icon size={20} aria-hidden stroke={1.7} />
      <span>{title}</span>
      {count > 0 && (
        <span className={`${classes.count} rb-small rb-strong`} data-tone={isNew ? 'accent' : 'plain'}>
          {count > 999 ? `${Math.floor(count / 1000)}k` : count}
        </span>
      )}
    </UnstyledButton>
  );
}
