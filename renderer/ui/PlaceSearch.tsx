// A field that finds a place while one types: names with or without their accents, or `45.07, 7.69`. The answers come from
// the store, per field.
import { Combobox, Kbd, Loader, TextInput, useCombobox } from '@mantine/core';
import { IconMapPin } from '@tabler/icons-react';
import { type ReactNode, type Ref, useEffect, useState } from 'react';
import type { Place } from '#contract/procedures/places.ts';
import { emptyPlaceField } from '#renderer/store/places-slice.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { coordinateWords } from './durations.ts';
import { countryName, placeWords } from './place-words.ts';
import { useIsSlow } from './RequestNotice.tsx';
import classes from './PlaceSearch.module.css';

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
  /** Shown in the list while nothing is typed, for instance saved places. */
  suggestions?: readonly Place[];
  ref?: Ref<HTMLInputElement>;
};

export function PlaceSearch(props: Readonly<Props>) {
  const { field, label, place, onPick, suggestions = [] } = props;
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [typed, setTyped] = useState<string | null>(null);
  const { found, request } = useApp((state) => state.places.fields[field]) ?? emptyPlaceField;
  const search = useApp((state) => state.places.search);
  const isSlow = useIsSlow(request);
  const offered = typed === null || typed.trim() === '' ? suggestions : found;
  const pick = (index: string) => {
    const chosen = offered[Number(index)];
    if (!chosen) return;
    onPick(chosen);
    setTyped(null);
    combobox.closeDropdown();
  };
  const type = (text: string) => {
    setTyped(text);
    combobox.openDropdown();
    void search(field, text);
  };
  useEffect(() => {
    if (found.length > 0) combobox.selectFirstOption();
    // The store of the combobox is new in every render; only new answers matter.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [found]);
  return (
    <Combobox store={combobox} onOptionSubmit={pick} withinPortal>
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
          onKeyDown={(event) => {
            if (event.key === 'Escape' && typed !== null) setTyped(null);
          }}
          onBlur={() => {
            combobox.closeDropdown();
            setTyped(null);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={offered.length === 0 && (typed === null || typed.trim() === '')}>
        <Combobox.Options aria-label={label}>
          {offered.map((one, index) => (
            <Combobox.Option key={`${one.name} ${one.lat} ${one.lng}`} value={String(index)}>
              <PlaceOption place={one} />
            </Combobox.Option>
          ))}
          {offered.length === 0 && <Combobox.Empty>{emptyWords(request.state, request)}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function emptyWords(state: string, request: typeof emptyPlaceField.request): string {
  if (request.state === 'failed') return request.failure.message;
  if (state === 'loading') return 'Searching…';
  return 'No place of that name. Try another spelling, or “45.07, 7.69”.';
}

function rightSection(isSlow: boolean, shortcut: string | undefined): ReactNode {
  if (isSlow) return <Loader size={14} />;
  return shortcut === undefined ? null : <Kbd size="xs">{shortcut}</Kbd>;
}

function PlaceOption({ place }: { readonly place: Place }) {
  return (
    <span className={classes.option}>
      <span className="rb-truncate">
        {place.name}
        {place.countryCode !== null && <span className={classes.country}> · {countryName(place.countryCode)}</span>}
      </span>
      <span className={`rb-mono ${classes.coordinates}`}>{coordinateWords(place, 2)}</span>
    </span>
  );
}
