// The command palette (Ctrl K): every command, place, monitor, callback, connection, and help page by name.
import { selectSavedSearches } from '../callbacks/selectors.ts';
import { selectActiveId, selectConnections } from '../connections/selectors.ts';
import { selectMonitors } from '../monitors/selectors.ts';
import { Modal } from '@mantine/core';
import { IconCornerDownLeft } from '@tabler/icons-react';
import { Fragment, type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { HelpPage } from '@rainbell/shared';
import { emptyPlaceField } from '../../store/places-slice.ts';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { KeyText } from '../../ui/text/KeyText.tsx';
import {
  commandItems,
  dataItems,
  helpItems,
  type PaletteItem,
  placeItem,
  settingItems,
  textItems,
} from './palette-items.ts';
import { createItemSearch } from './item-search.ts';
import classes from './Palette.module.css';

const maxRecent = 20;
const maxRecentShown = 5;

type Group = { title: string; items: readonly PaletteItem[] };

export function Palette() {
  const store = useAppStore();
  const openPalette = useApp((state) => state.frame.openPalette);
  const { request } = useApp((state) => state.places.fields['palette']) ?? emptyPlaceField;
  const text = useApp((state) => state.frame.paletteText);
  const isEntered = useApp((state) => state.frame.isPaletteEntered);
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  // The letter appears first; the list follows, and React draws it in pieces.
  const searched = useDeferredValue(text);
  const groups = useGroups(searched);
  const offered = groups.flatMap(({ items }) => items);
  const position = Math.min(chosen, Math.max(0, offered.length - 1));
  const run = (item: PaletteItem | undefined) => {
    if (!item) return;
    openPalette(false);
    if (item.kind === 'command') {
      const { values, update } = store.getState().settings;
      const others = values.recentCommands.filter((id) => id !== item.id);
      void update({ recentCommands: [item.id, ...others].slice(0, maxRecent) });
    }
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setChosen((position + step + offered.length) % Math.max(1, offered.length));
    else if (event.key !== 'Enter') return;
    // The list is still that of an earlier text.
    else if (searched !== text) store.getState().frame.typeAhead('Enter');
    else run(offered[position]);
    event.preventDefault();
  };
  useEffect(() => void store.getState().places.search('palette', text), [store, text]);
  useEffect(() => {
    if (isEntered && searched === text) run(offered[0]);
  });
  const type = (typed: string) => {
    store.getState().frame.typeInPalette(typed);
    setChosen(0);
  };
  return (
    <Modal
      opened
      onClose={() => openPalette(false)}
      withCloseButton={false}
      padding={0}
      classNames={{ body: classes.body ?? '' }}
      size={640}
      yOffset="10dvh"
      attributes={{ content: { 'aria-label': 'Commands and places' } }}
    >
      <input
        className={classes.input}
        data-autofocus
        data-palette
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={offered[position] && `${listId}-${position}`}
        aria-label="Command or place"
        placeholder="Type a command, a place, a monitor, a callback number…"
        autoComplete="off"
        maxLength={200}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.list} id={listId} role="listbox" aria-label="Commands and places">
        <Rows groups={groups} listId={listId} position={position} onRun={run} onPoint={setChosen} />
      </div>
      {offered.length === 0 && (
        <p className="rb-dim rb-padded" role="status">
          {request.state === 'loading' ? 'Searching…' : 'No results'}
        </p>
      )}
      <p className="rb-note rb-part rb-padded" aria-hidden>
        <KeyText of="ArrowUp" /> <KeyText of="ArrowDown" /> choose · <KeyText of="Enter" /> run ·{' '}
        <KeyText of="Escape" />
        close
      </p>
    </Modal>
  );
}

/** What is offered for the text: with none, what was used last and what this screen can do come first. */
function useGroups(text: string): readonly Group[] {
  const store = useAppStore();
  const monitors = useApp(selectMonitors);
  const connections = useApp(selectConnections);
  const selectedId = useApp(selectActiveId);
  const savedPlaces = useApp((state) => state.settings.values.savedPlaces);
  const recent = useApp((state) => state.settings.values.recentCommands);
  const filters = useApp(selectSavedSearches);
  const places = useApp((state) => state.places.fields['palette']?.found);
  const pages = useHelpPages();
  // What can be done stays as it is while the palette is open.
  const [commands] = useState(() => commandItems(store));
  const all = useMemo(
    () => [
      ...commands,
      ...dataItems(store, { monitors, connections, selectedId, savedPlaces, filters }),
      ...settingItems(store),
      ...helpItems(store, pages),
    ],
    [store, commands, monitors, connections, selectedId, savedPlaces, filters, pages],
  );
  const search = useMemo(() => createItemSearch(all), [all]);
  return useMemo(() => {
    if (text.trim() === '') return startGroups(commands, recent);
    const { good, fair } = search.find(text, recent);
    const { first, last } = textItems(store, text);
    const known = new Set([...good, ...fair].map(({ id }) => id));
    const found = (places ?? []).map((place) => placeItem(store, place)).filter(({ id }) => !known.has(id));
    return [{ title: '', items: [...first, ...good, ...found, ...fair, ...last] }];
  }, [store, text, commands, recent, search, places]);
}

function startGroups(commands: readonly PaletteItem[], recent: readonly string[]): readonly Group[] {
  const last = recent.flatMap((id) => commands.find((command) => command.id === id) ?? []).slice(0, maxRecentShown);
  const others = commands.filter((command) => !last.includes(command));
  const isScreen = ({ id }: PaletteItem) => id.startsWith('go.');
  return [
    { title: 'Recent', items: last },
    { title: 'This screen', items: others.filter(({ isHere }) => isHere) },
    { title: 'Screens', items: others.filter((item) => !item.isHere && isScreen(item)) },
    { title: 'More', items: others.filter((item) => !item.isHere && !isScreen(item)) },
  ].filter(({ items }) => items.length > 0);
}

/** Loaded after the palette has opened; until then it has none. */
function useHelpPages(): readonly HelpPage[] {
  const [pages, setPages] = useState<readonly HelpPage[]>([]);
  useEffect(() => {
    import('virtual:help-pages').then(
      (loaded) => setPages(loaded.pages),
      () => undefined,
    );
  }, []);
  return pages;
}

type RowsProps = {
  groups: readonly Group[];
  listId: string;
  position: number;
  onRun: (item: PaletteItem) => void;
  onPoint: (place: number) => void;
};

function Rows({ groups, listId, position, onRun, onPoint }: Readonly<RowsProps>) {
  let next = 0;
  return groups.map(({ title, items }) => {
    const rows = items.map((item) => {
      const place = next++;
      return (
        <PaletteRow
          key={item.id}
          id={`${listId}-${place}`}
          item={item}
          isChosen={place === position}
          onRun={() => onRun(item)}
          onPoint={() => onPoint(place)}
        />
      );
    });
    if (title === '') return <Fragment key={title}>{rows}</Fragment>;
    return (
      <div key={title} role="group" aria-label={title}>
        <div className="rb-eyebrow rb-item" aria-hidden>
          {title}
        </div>
        {rows}
      </div>
    );
  });
}

type RowProps = { id: string; item: PaletteItem; isChosen: boolean; onRun: () => void; onPoint: () => void };

function PaletteRow({ id, item, isChosen, onRun, onPoint }: Readonly<RowProps>) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const key = item.keys[0];
  return (
    // The input above takes the keys and names the chosen row.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      ref={row}
      id={id}
      className={`rb-item rb-row ${classes.row}`}
      role="option"
      aria-selected={isChosen}
      onClick={onRun}
      onPointerMove={onPoint}
    >
      <span className="rb-truncate">
        <ForeignText text={item.title} />
      </span>
      <span className="rb-fixed rb-note rb-end">
        <ForeignText text={item.hint} limit={100} />
      </span>
      {key !== undefined && <KeyText of={key} />}
      {isChosen && <IconCornerDownLeft size={14} aria-hidden />}
    </div>
  );
}
