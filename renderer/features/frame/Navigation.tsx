// The screens, with the number of monitors and of callbacks that nobody has looked at yet.
import { UnstyledButton } from '@mantine/core';
import {
  IconArrowsExchange,
  IconBellRinging,
  IconBroadcast,
  IconCloudRain,
  IconFlask,
  IconKey,
  IconPlugConnected,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react';
import { useApp } from '#renderer/store/use-app.ts';
import { countWords } from '#renderer/ui/text/count-words.ts';
import { type Screen, screenTitles } from '#renderer/store/screens.ts';
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
};

export function Navigation() {
  const monitorCount = useApp((state) => state.monitors.items.filter(({ going }) => going === null).length);
  // What arrives while its screen is open is seen.
  const unseen = useApp(({ frame: { screen }, callbacks: { newestId, seenId, version } }) =>
    version && screen !== 'callbacks' ? newestId() - seenId : 0,
  );
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? true);
  return (
    <nav className={classes.nav} aria-label="Screens">
      <NavigationItem screen="forecast" />
      <NavigationItem screen="monitors" count={monitorCount} countWords={countWords(monitorCount, 'monitor')} />
      <NavigationItem screen="callbacks" count={unseen} countWords={`${unseen} not seen yet`} isNew />
      <NavigationItem screen="access" />
      <NavigationItem screen="traffic" />
      {isSandbox && <NavigationItem screen="sandbox" />}
      <span className={classes.space} />
      <NavigationItem screen="connections" />
      <NavigationItem screen="settings" />
    </nav>
  );
}

type ItemProps = { screen: Screen; count?: number; countWords?: string; isNew?: boolean };

function NavigationItem({ screen, count = 0, countWords, isNew = false }: Readonly<ItemProps>) {
  const isHere = useApp((state) => state.frame.screen === screen);
  const goTo = useApp((state) => state.frame.goTo);
  const Icon = icons[screen];
  const title = screenTitles[screen];
  return (
    <UnstyledButton
      className={classes.item ?? ''}
      aria-current={isHere ? 'page' : undefined}
      aria-label={count > 0 && countWords !== undefined ? `${title}, ${countWords}` : title}
      title={title}
      onClick={() => goTo(screen)}
    >
      <Icon size={18} aria-hidden stroke={1.7} />
      <span className={classes.title}>{title}</span>
      {count > 0 && (
        <span className={classes.count} data-new={isNew || undefined}>
          {count > 9999 ? '9999+' : count}
        </span>
      )}
    </UnstyledButton>
  );
}
