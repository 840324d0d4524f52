// A field that finds a place while one types: names, codes of airports, or coordinates. The answers come from the store, per
// field.
import { Kbd, TextInput } from '@mantine/core';
import { IconMapPin } from '@tabler/icons-react';
import { type KeyboardEvent, type Ref, useEffect, useId, useState } from 'react';
import type { Place } from '@rainbell/contract/app-rpc';
import { emptyPlaceField } from '../store/places-slice.ts';
import { useApp } from '../store/use-app.ts';
import { parseLatLng } from '@rainbell/shared';
import { formatPlace } from '../ui/text/format-place.ts';
import classes from './PlaceSearch.module.css';
import { type OfferedPlace, PlaceOptions } from './PlaceOptions.tsx';

export type SuggestedPlace = { place: Place; kind: 'saved' | 'recent' };

type Props = {
  /** Names this field's text and answers in the store. */
  field: string;
  label: string;
  /** Whether the label is visible, or only for screen readers. */
  isLabelShown?: boolean;
  /** The selected place; shown while the user isn't typing. */
  place: Place | null;
  onPick: (place: Place) => void;
  shortcut?: string;
  placeholder?: string;
  /** Shown in the list while nothing is typed. */
  suggestions?: readonly SuggestedPlace[];
  ref?: Ref<HTMLInputElement>;
};

export function PlaceSearch(props: Readonly<Props>) {
  const { field, label, place, onPick, suggestions = [] } = props;
  const listId = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const [isEnterWaiting, setEnterWaiting] = useState(false);
  const { text, found, request } = useApp((state) => state.places.fields[field]) ?? emptyPlaceField;
  const search = useApp((state) => state.places.search);
  const isTyping = typed !== null && typed.trim() !== '';
  const offered: readonly OfferedPlace[] = isTyping ? found.map((one) => ({ place: one })) : suggestions;
  const isShown = isOpen && (offered.length > 0 || isTyping);
  const open = (isWanted: boolean) => {
    setOpen(isWanted);
    if (!isWanted) setChosen(-1);
  };
  const choose = (one: Place | undefined) => {
    if (!one) return;
    onPick(one);
    setTyped(null);
    open(false);
  };
  const type = (text: string) => {
    setTyped(text);
    setEnterWaiting(false);
    open(true);
    void search(field, text);
  };
  useEffect(() => {
    if (isOpen && found.length > 0) setChosen(0);
    if (isEnterWaiting) choose(found[0]);
    setEnterWaiting(false);
    // Only new answers matter.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [found]);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.nativeEvent.isComposing) return;
    if (step !== 0) {
      event.preventDefault();
      open(true);
      setChosen(isShown ? stepped(chosen, step, offered.length) : 0);
    } else if (event.key === 'Enter') {
      // The list may still show the answers to an older text; Enter means the one that is on its way.
      const isWaiting = isTyping && (request.state === 'loading' || text !== typed);
      setEnterWaiting(isWaiting);
      // The first result is chosen by an effect, which Enter may precede.
      const picked = isTyping ? Math.max(0, chosen) : chosen;
      if (isWaiting || (isShown && picked >= 0)) event.preventDefault();
      if (isShown && !isWaiting) choose(offered[picked]?.place);
    } else if (event.key === 'Escape') {
      open(false);
      if (typed === null) return;
      const input = event.currentTarget;
      setTyped(null);
      // Selecting also focuses the field, which the user may have left in the meantime.
      requestAnimationFrame(() => {
        if (document.activeElement === input) input.select();
      });
    }
  };
  return (
    <div>
      <TextInput
        // Mantine gives `dir` to the box around the field, which has no text.
        attributes={{ input: { dir: 'auto' } }}
        {...(props.ref ? { ref: props.ref } : {})}
        {...(props.isLabelShown ? { label } : { 'aria-label': label })}
        className={classes.field ?? ''}
        leftSection={<IconMapPin aria-hidden />}
        rightSection={props.shortcut && <Kbd size="xs">{props.shortcut}</Kbd>}
        role="combobox"
        aria-haspopup="listbox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? listId : undefined}
        aria-activedescendant={isShown && chosen >= 0 ? `${listId}-${chosen}` : undefined}
        // Escape closes the list and not the dialog around it.
        data-mantine-stop-propagation={isShown || undefined}
        placeholder={props.placeholder ?? 'City, airport, or coordinates'}
        value={typed ?? (place ? formatPlace(place) : '')}
        autoComplete="off"
        onChange={(event) => type(event.currentTarget.value)}
        onFocus={(event) => {
          event.currentTarget.select();
          if (suggestions.length > 0) open(true);
        }}
        onClick={() => suggestions.length > 0 && setOpen(true)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          open(false);
          setTyped(null);
        }}
      />
      {isShown && (
        <PlaceOptions id={listId} label={label} offered={offered} chosen={chosen} onChoose={choose}>
          {emptyText(typed ?? '', request)}
        </PlaceOptions>
      )}
    </div>
  );
}

/** The next or the one before, round and round; from none to the first or the last. */
function stepped(chosen: number, step: number, count: number): number {
  return chosen < 0 && step < 0 ? count - 1 : (chosen + step + count) % Math.max(1, count);
}

function emptyText(typed: string, request: typeof emptyPlaceField.request): string {
  if (request.state === 'failed') return request.failure.message;
  if (request.state === 'loading') return 'Searching…';
  const read = parseLatLng(typed);
  return typeof read === 'string' ? read : 'No place found. Enter a city, an airport code, or “45.07, 7.69”.';
}
