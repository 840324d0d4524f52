// The list of places under its search field. The focus stays in the field, which handles the keys.
import { IconHistory, IconStar } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Place } from '@rainbell/contract/app-rpc';
import { formatCoordinates } from '../ui/text/durations.ts';
import { countryName } from '../ui/text/format-place.ts';
import classes from './PlaceSearch.module.css';

export type OfferedPlace = { place: Place; kind?: 'saved' | 'recent' };

type Props = {
  /** ID of the list; the options have it with their number behind. */
  id: string;
  label: string;
  offered: readonly OfferedPlace[];
  chosen: number;
  onChoose: (place: Place) => void;
  children: ReactNode;
};

export function PlaceOptions({ id, label, offered, chosen, onChoose, children }: Readonly<Props>) {
  return (
    <div popover="manual" className={`rb-floating ${classes.dropdown}`} ref={showBeside}>
      {offered.length === 0 ? (
        <div role="status" className={classes.empty}>
          {children}
        </div>
      ) : (
        <div role="listbox" id={id} aria-label={label} className={classes.options}>
          {offered.map((one, index) => (
            <PlaceOption
              key={`${one.place.name} ${one.place.lat} ${one.place.lng}`}
              {...one}
              id={`${id}-${index}`}
              isChosen={index === chosen}
              onChoose={onChoose}
            />
          ))}
        </div>
      )}
    </div>
  );
}

type OptionProps = OfferedPlace & { id: string; isChosen: boolean; onChoose: (place: Place) => void };

function PlaceOption({ place, kind, id, isChosen, onChoose }: Readonly<OptionProps>) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={isChosen}
      className={classes.option}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(place)}
    >
      {kind === 'saved' && (
        <IconStar size={14} aria-label="Saved place" className={`rb-fixed rb-dim ${classes.mark}`} />
      )}
      {kind === 'recent' && (
        <IconHistory size={14} aria-label="Recent place" className={`rb-fixed rb-dim ${classes.mark}`} />
      )}
      <span className="rb-truncate rb-fill">
        {place.name}
        {place.countryCode !== null && (
          <span
            className={`rb-dim ${classes.country}`}
          >{` · ${[place.region, countryName(place.countryCode)].filter(Boolean).join(', ')}`}</span>
        )}
      </span>
      <span className={`rb-mono rb-fixed rb-note ${classes.coordinates}`}>{formatCoordinates(place, 2)}</span>
    </div>
  );
}

/** Shows a popover when it comes to the page, placed by its style beside the element before it. */
function showBeside(popover: HTMLElement | null): void {
  const source = popover?.previousElementSibling;
  if (source instanceof HTMLElement) popover?.showPopover({ source });
}
