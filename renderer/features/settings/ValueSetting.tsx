// A setting with one value: a choice, a switch, a number, or a text. Numbers and texts are saved on Enter and when they lose the
// focus, if they are valid.
import { SegmentedControl, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Settings, ValueRow } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { submitBy } from '../../ui/hooks/submit-by.ts';
import { SettingFrame } from './SettingFrame.tsx';

type Value = ValueRow['default'];

export function ValueSetting({ row }: { readonly row: ValueRow }) {
  const values = useApp((state) => state.settings.values);
  const update = useApp((state) => state.settings.update);
  const [field, part] = row.id.split('.') as [keyof Settings, string | undefined];
  const former = values[field];
  const value = (part === undefined ? former : (former as Record<string, unknown> | null)?.[part]) as Value;
  const change = (next: Value) =>
    void update({ [field]: part === undefined ? next : { ...(former as object), [part]: next } });
  return (
    <SettingFrame
      row={row}
      defaultText={formatDefault(row)}
      onReset={value === row.default ? undefined : () => change(row.default)}
    >
      <Control row={row} value={value} onChange={change} />
    </SettingFrame>
  );
}

function formatDefault(row: ValueRow): string {
  switch (row.control) {
    case 'choice':
      return row.choices.find((choice) => choice.value === row.default)?.label ?? row.default;
    case 'switch':
      return row.default ? 'On' : 'Off';
    case 'number':
      if (row.default === null) return row.emptyLabel;
      return `${row.default.toLocaleString('en')}${row.unit === undefined ? '' : ` ${row.unit}`}`;
    case 'text':
      return row.default ?? 'none';
  }
}

type ControlProps = { row: ValueRow; value: Value; onChange: (value: Value) => void };

function Control({ row, value, onChange }: Readonly<ControlProps>) {
  switch (row.control) {
    case 'choice':
      return (
        <SegmentedControl aria-label={row.title} data={[...row.choices]} value={String(value)} onChange={onChange} />
      );
    case 'switch':
      return (
        <Switch
          aria-label={row.title}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'number':
    case 'text':
      return <TypedControl key={String(value)} row={row} value={value} onChange={onChange} />;
  }
}

type TypedRow = Extract<ValueRow, { control: 'number' | 'text' }>;

function TypedControl({ row, value, onChange }: Readonly<ControlProps & { row: TypedRow }>) {
  const saved = value === null ? '' : String(value);
  const [typed, setTyped] = useState(saved);
  const problem = problemOf(row, typed);
  const save = () => {
    const text = typed.trim();
    if (problem !== null || text === saved) return;
    onChange(text === '' ? null : row.control === 'number' ? Number(text) : text);
  };
  return (
    <form className="rb-row" onSubmit={submitBy(save)}>
      <TextInput
        aria-label={row.title}
        inputMode={row.control === 'number' ? 'numeric' : 'text'}
        placeholder={'placeholder' in row ? row.placeholder : 'emptyLabel' in row ? row.emptyLabel : ''}
        w={row.control === 'number' ? 120 : 240}
        value={typed}
        error={problem}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={save}
      />
      {row.unit !== undefined && <span className="rb-dim">{row.unit}</span>}
    </form>
  );
}

function problemOf(row: TypedRow, typed: string): string | null {
  const text = typed.trim();
  if (row.control === 'text') {
    return /^[\x20-\x7e]*$/.test(text) && text.length <= row.max ? null : `ASCII, at most ${row.max} characters`;
  }
  if ('emptyLabel' in row && text === '') return null;
  const value = Number(text);
  return text !== '' && Number.isInteger(value) && value >= row.min && value <= row.max
    ? null
    : `${row.min.toLocaleString('en')} to ${row.max.toLocaleString('en')}`;
}
