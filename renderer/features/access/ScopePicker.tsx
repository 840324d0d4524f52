// Picks scopes: the one of the interface (docs/interface.md §4.1), and any other to type.
import { Pill, TagsInput } from '@mantine/core';
import { ForeignText } from '../../ui/text/ForeignText.tsx';

/** `value`: separated by spaces. */
type Props = { value: string; onChange: (value: string) => void };

const maxPillLength = 200;

export function ScopePicker({ value, onChange }: Readonly<Props>) {
  return (
    <TagsInput
      label="Scope"
      placeholder={value === '' ? 'None' : ''}
      data={['post_metag']}
      splitChars={[' ', ',']}
      value={[...new Set(value.split(' ').filter((word) => word !== ''))]}
      onChange={(scopes) => onChange(scopes.join(' '))}
      renderPill={({ value: word = '', onRemove, disabled }) => (
        <Pill withRemoveButton {...(onRemove && { onRemove })} {...(disabled !== undefined && { disabled })}>
          <ForeignText text={String(word)} limit={maxPillLength} />
        </Pill>
      )}
      comboboxProps={{ withinPortal: false }}
      // A list that opens automatically would cover the fields below.
      openOnFocus={false}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear all scopes' }}
    />
  );
}
