// A field that finds a place while one types: names with or without their accents, or `45.07, 7.69`. The answers come from
// the store, per field.
import { Combobox, Kbd, Loader, TextInput, useCombobox } from '@mantine/core';
import { IconHistory, IconMapPin, IconStar } from '@tabler/icons-react';
import { type ReactNode, type Ref, useEffect, useState } from 'react';
import type { Place } from '#contract/procedures/places.ts';
import { emptyPlaceField } from '#renderer/store/places-slice.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { coordinateProblem } from './coordinate-text.ts';
import { coordinateWords } from './durations.ts';
import { countryName, placeWords } from './place-words.ts';
import { useIsSlow } from './RequestNotice.tsx';
import classes from './PlaceSearch.module.css';

export type SuggestedPlace = { place: Place; mark: 'saved' | 'recent' };

type Props = {
  /** Names this field's text and answers in the store. */
  field: string;
  label: string;
  /** Whether the label is shown or only told to screen readers. */
  isLabelShown?: boolean;
  /** The place chosen now; shown while nobody types. */
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
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [typed, setTyped] = useState<string | null>(null);
  const [isEnterWaiting, setEnterWaiting] = useState(false);
  const { found, request } = useApp((state) => state.places.fields[field]) ?? emptyPlaceField;
  const search = useApp((state) => state.places.search);
  const isSlow = useIsSlow(request);
  const isTyping = typed !== null && typed.trim() !== '';
  const offered: readonly Offered[] = isTyping ? found.map((one) => ({ place: one })) : suggestions;
  const shown = combobox.dropdownOpened ? offered : [];
  const choose = (chosen: Place | undefined) => {
    if (!chosen) return;
    onPick(chosen);
    setTyped(null);
    combobox.closeDropdown();
  };
  const type = (text: string) => {
    setTyped(text);
    setEnterWaiting(false);
    combobox.openDropdown();
    void search(field, text);
  };
  useEffect(() => {
    if (found.length > 0) combobox.selectFirstOption();
    if (isEnterWaiting) choose(found[0]);
    setEnterWaiting(false);
    // The store of the combobox is new in every render; only new answers matter.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [found]);
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(index) => choose(offered[Number(index)]?.place)}
      // In the page or dialog that it belongs to, not beside all landmarks.
      withinPortal={false}
      position="bottom-start"
    >
      <Combobox.Target>
        <TextInput
          {...(props.ref ? { ref: props.ref } : {})}
          className={classes.field ?? ''}
          {...(props.isLabelShown ? { label } : { 'aria-label': label })}
          placeholder={props.placeholder ?? 'City, or latitude, longitude'}
          leftSection={<IconMapPin size={16} aria-hidden />}
          rightSection={rightSection(isSlow, props.shortcut)}
          rightSectionPointerEvents="none"
          value={typed ?? (place ? placeWords(place) : '')}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => type(event.currentTarget.value)}
          onFocus={(event) => {
            event.currentTarget.select();
            if (suggestions.length > 0) combobox.openDropdown();
          }}
          onClick={() => suggestions.length > 0 && combobox.openDropdown()}
          onKeyDownCapture={(event) => {
            if (event.key !== 'Enter' || !isTyping || request.state !== 'loading') return;
            // The list still shows the answers to an older text; Enter means the one that is on its way.
            event.stopPropagation();
            event.preventDefault();
            setEnterWaiting(true);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || typed === null) return;
            const input = event.currentTarget;
            setTyped(null);
            requestAnimationFrame(() => input.select());
          }}
          onBlur={() => {
            combobox.closeDropdown();
            setTyped(null);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown className={classes.dropdown ?? ''} hidden={offered.length === 0 && !isTyping}>
        <Combobox.Options aria-label={label} hidden={offered.length === 0} className={classes.options ?? ''}>
          {shown.map((one, index) => (
            <Combobox.Option key={`${one.place.name} ${one.place.lat} ${one.place.lng}`} value={String(index)}>
              <PlaceOption {...one} />
            </Combobox.Option>
          ))}
        </Combobox.Options>
        {offered.length === 0 && (
          <div role="status" className={classes.empty}>
            {emptyWords(typed ?? '', request)}
          </div>
        )}
      </Combobox.Dropdown>
    </Combobox>
  );
}

type Offered = { place: Place; mark?: SuggestedPlace['mark'] };

function emptyWords(typed: string, request: typeof emptyPlaceField.request): string {
  if (request.state === 'failed') return request.failure.message;
  if (request.state === 'loading') return 'Searching…';
  return coordinateProblem(typed) ?? 'No place of that name. Try another spelling, or “45.07, 7.69”.';
}

function rightSection(isSlow: boolean, shortcut: string | undefined): ReactNode {
  if (isSlow) return <Loader size={14} />;
  return shortcut === undefined ? null : <Kbd size="xs">{shortcut}</Kbd>;
}

function PlaceOption({ place, mark }: Readonly<Offered>) {
  return (
    <span className={classes.option}>
      {mark === 'saved' && <IconStar size={14} aria-label="saved" className={classes.mark} />}
      {mark === 'recent' && <IconHistory size={14} aria-label="recent" className={classes.mark} />}
      <span className={`rb-truncate ${classes.name}`}>
        {place.name}
        {place.countryCode !== null && <span className={classes.country}> · {countryName(place.countryCode)}</span>}
      </span>
      <span className={`rb-mono ${classes.coordinates}`}>{coordinateWords(place, 2)}</span>
    </span>
  );
}
