// The screens, with the number of monitors and of unread callbacks: a rail, a sidebar in wide windows, and in narrow ones a bar of
// five items, of which the last opens the rest.
import { UnstyledButton } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useId } from 'react';
import type { ScreenEntry } from '../../store/app-state.ts';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { plural } from '@rainbell/shared';
import { Panel } from '../../ui/controls/Panel.tsx';
import { StatusList } from './StatusBar.tsx';
import { HeaderTools } from './HeaderTools.tsx';
import classes from './Navigation.module.css';

type Entry = ScreenEntry & { navigation: NonNullable<ScreenEntry['navigation']> };

export function Navigation() {
  const entries = useEntries();
  const isAtEnd = ({ navigation }: Entry) => navigation.place === 'end';
  return (
    <nav className={`rb-column ${classes.nav}`} aria-label="Screens">
      {entries.map((entry) => !isAtEnd(entry) && <NavigationItem key={entry.name} entry={entry} />)}
      <span className={`rb-fill ${classes.space}`} />
      {entries.map((entry) => isAtEnd(entry) && <NavigationItem key={entry.name} entry={entry} />)}
      <More entries={entries.filter(({ navigation }) => navigation.place !== undefined)} />
    </nav>
  );
}

function useEntries(): readonly Entry[] {
  const { features } = useAppStore();
  const hidden = useApp((state) =>
    features.flatMap(({ screen }) => (screen?.navigation?.isShown?.(state) === false ? screen.name : [])).join(' '),
  );
  return features
    .flatMap(({ screen }) => (screen?.navigation ? { ...screen, navigation: screen.navigation } : []))
    .filter(({ name }) => !hidden.split(' ').includes(name))
    .toSorted((one, other) => one.navigation.order - other.navigation.order);
}

/** What the bar of a narrow window has no room for: further screens, the status, help, and the theme. */
function More({ entries }: { readonly entries: readonly Entry[] }) {
  const id = useId();
  const isHere = useApp((state) => entries.some(({ name }) => name === state.frame.screen));
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
        {entries.map((entry) => (
          <NavigationItem key={entry.name} entry={entry} closes={id} />
        ))}
        <StatusList />
        <div className={`rb-row rb-part ${classes.tools}`}>
          <HeaderTools />
        </div>
      </Panel>
    </>
  );
}

/** `closes`: the panel around it. */
function NavigationItem({ entry, closes }: { readonly entry: Entry; readonly closes?: string }) {
  const { name, title, navigation } = entry;
  const { Icon, place, count: countOf, isMore: isMoreOf, countForms, isNew } = navigation;
  const isHere = useApp((state) => state.frame.screen === name);
  const goTo = useApp((state) => state.frame.goTo);
  const count = useApp((state) => countOf?.(state) ?? 0);
  const more = useApp((state) => (isMoreOf?.(state) ? '+' : ''));
  const isInRest = place !== undefined && closes === undefined;
  return (
    <UnstyledButton
      className={`rb-fixed rb-dim rb-medium rb-item rb-row ${classes.item} ${isInRest ? classes.rest : ''}`}
      {...(closes !== undefined && { popoverTarget: closes, popoverTargetAction: 'hide' })}
      aria-current={isHere ? 'page' : undefined}
      aria-label={count > 0 && countForms ? `${title}, ${more && 'more than '}${plural(count, countForms)}` : title}
      onClick={() => goTo(name)}
    >
      <Icon size={20} aria-hidden stroke={1.7} />
      <span>{title}</span>
      {count > 0 && (
        <span className={`${classes.count} rb-small rb-strong`} data-tone={isNew ? 'accent' : 'plain'}>
          {count > 999 ? `${Math.floor(count / 1000)}k` : count}
          {more}
        </span>
      )}
    </UnstyledButton>
  );
}
