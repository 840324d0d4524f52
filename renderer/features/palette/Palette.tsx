// The command palette (Ctrl K): go to a screen, fetch, new monitor, rain, theme, and any place by its name.
import { Modal } from '@mantine/core';
import { IconCornerDownLeft } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { emptyPlaceField } from '#renderer/store/places-slice.ts';
import { useApp, useAppStore } from '#renderer/store/use-app.ts';
import { type Command, commands, matching, placeCommands } from './commands.ts';
import classes from './Palette.module.css';

export function Palette() {
  const store = useAppStore();
  const openPalette = useApp((state) => state.frame.openPalette);
  const { found, request } = useApp((state) => state.places.fields['palette']) ?? emptyPlaceField;
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const text = useApp((state) => state.frame.paletteText);
  const isEntered = useApp((state) => state.frame.isPaletteEntered);
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  const offered = [
    ...matching(commands(store, isSandbox), text),
    ...(text.trim() === '' ? [] : placeCommands(store, found)),
  ];
  const position = Math.min(chosen, Math.max(0, offered.length - 1));
  const run = (command: Command | undefined) => {
    if (!command) return;
    openPalette(false);
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setChosen((position + step + offered.length) % Math.max(1, offered.length));
    else if (event.key === 'Enter') run(offered[position]);
    else return;
    event.preventDefault();
  };
  useEffect(() => void store.getState().places.search('palette', text), [store, text]);
  useEffect(() => {
    if (isEntered) run(offered[0]);
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
      size={560}
      yOffset="12dvh"
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
        placeholder="Type a command or a place…"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.list} id={listId} role="listbox" aria-label="Commands and places">
        {offered.map((command, index) => (
          <PaletteRow
            key={command.id}
            id={`${listId}-${index}`}
            command={command}
            isChosen={index === position}
            onRun={() => run(command)}
            onPoint={() => setChosen(index)}
          />
        ))}
      </div>
      {offered.length === 0 && (
        <p className={classes.none} role="status">
          {request.state === 'loading' ? 'Searching…' : 'No command and no place of that name.'}
        </p>
      )}
    </Modal>
  );
}

type RowProps = { id: string; command: Command; isChosen: boolean; onRun: () => void; onPoint: () => void };

function PaletteRow({ id, command, isChosen, onRun, onPoint }: Readonly<RowProps>) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    // The input above takes the keys and names the chosen row.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      ref={row}
      id={id}
      className={classes.row}
      role="option"
      aria-selected={isChosen}
      onClick={onRun}
      onPointerMove={onPoint}
    >
      <span className="rb-truncate">{command.words}</span>
      <span className={classes.hint}>{command.hint}</span>
      {isChosen && <IconCornerDownLeft size={14} aria-hidden />}
    </div>
  );
}
