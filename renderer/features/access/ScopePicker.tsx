// A scope as words: the interface's only one to pick (§4.1), and any other to type, for services with more.
import { TagsInput } from '@mantine/core';

type Props = {
  label: string;
  description?: string;
  /** Words with spaces between. */
  value: string;
  /** Words to offer besides. */
  granted?: readonly string[];
  onChange: (value: string) => void;
};

const known = ['post_metag'];

export function ScopePicker({ label, description, value, granted = [], onChange }: Readonly<Props>) {
  return (
    <TagsInput
      label={label}
      {...(description === undefined ? {} : { description })}
      placeholder={value === '' ? 'none' : ''}
      data={[...new Set([...granted, ...known])]}
      splitChars={[' ', ',']}
      value={wordsOf(value)}
      onChange={(words) => onChange(words.join(' '))}
      comboboxProps={{ withinPortal: false }}
      // A list that opens by itself would lie over what stands below.
      openOnFocus={false}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
    />
  );
}

export function wordsOf(scope: string): string[] {
  return scope.split(' ').filter((word) => word !== '');
}
