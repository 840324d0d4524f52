// Picks scopes: those that the service granted, the one of the interface (docs/interface.md §4.1), and any other to
// type. A service can grant thousands, so only some are drawn.
import { Pill, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { ForeignText } from '#renderer/ui/text/ForeignText.tsx';
import classes from './AccessScreen.module.css';

type Props = {
  label: string;
  description?: string;
  /** Separated by spaces. */
  value: string;
  /** Offered to pick, too. */
  granted?: readonly string[];
  onChange: (value: string) => void;
};

const known = ['post_metag'];
/** How many are drawn at first, and added by each "Show more"; the list offers as many. */
const step = 100;

export function ScopePicker({ label, description, value, granted = [], onChange }: Readonly<Props>) {
  const [limit, setLimit] = useState(step);
  const scopes = splitScope(value);
  const picked = new Set(scopes);
  const shown = scopes.slice(0, limit);
  const hidden = scopes.slice(limit);
  const change = (next: readonly string[]) => {
    // A scope that was typed stays in sight.
    setLimit(limit + Math.max(0, next.length - shown.length));
    onChange([...new Set([...next, ...hidden])].join(' '));
  };
  return (
    <div>
      <TagsInput
        label={label}
        {...(description === undefined ? {} : { description })}
        placeholder={value === '' ? 'None' : ''}
        data={[...new Set([...granted, ...known])].filter((word) => !picked.has(word))}
        limit={step}
        splitChars={[' ', ',']}
        value={shown}
        onChange={change}
        onClear={() => onChange('')}
        renderPill={({ value: word = '', onRemove, disabled }) => (
          <Pill withRemoveButton {...(onRemove && { onRemove })} {...(disabled !== undefined && { disabled })}>
            <ForeignText text={String(word)} limit={maxPillLength} />
          </Pill>
        )}
        comboboxProps={{ withinPortal: false }}
        // A list that opens automatically would cover the fields below.
        openOnFocus={false}
        classNames={{ pillsList: classes.scopes }}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear all scopes' }}
      />
      {hidden.length > 0 && (
        <button type="button" className="rb-more" onClick={() => setLimit(limit + step)}>
          {`Show more (${hidden.length.toLocaleString('en')} scopes)`}
        </button>
      )}
    </div>
  );
}

const maxPillLength = 200;

export function splitScope(scope: string): string[] {
  return [...new Set(scope.split(' ').filter((word) => word !== ''))];
}
