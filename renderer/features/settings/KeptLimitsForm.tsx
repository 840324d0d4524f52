// How much the callback receiver keeps: by count, age, and size, and how long a body may be.
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { KeptLimits } from '#contract/app-rpc/settings.ts';
import { useApp } from '#renderer/store/use-app.ts';
import classes from './SettingsScreen.module.css';

type Field = { name: keyof KeptLimits; label: string; least: number; most: number; isOptional?: boolean };

const fields: readonly Field[] = [
  { name: 'keptCallbacks', label: 'Callbacks kept', least: 100, most: 5_000_000 },
  { name: 'keptDays', label: 'Days kept (empty: for ever)', least: 1, most: 3650, isOptional: true },
  { name: 'keptMegabytes', label: 'Megabytes kept', least: 10, most: 100_000 },
  { name: 'bodyKilobytes', label: 'Longest body, kilobytes', least: 1, most: 65_536 },
  { name: 'headerKilobytes', label: 'Longest request headers, kilobytes', least: 16, most: 256 },
];

type Typed = Readonly<Record<keyof KeptLimits, string>>;

function typedOf(limits: KeptLimits): Typed {
  return {
    keptCallbacks: String(limits.keptCallbacks),
    keptDays: limits.keptDays === null ? '' : String(limits.keptDays),
    keptMegabytes: String(limits.keptMegabytes),
    bodyKilobytes: String(limits.bodyKilobytes),
    headerKilobytes: String(limits.headerKilobytes),
  };
}

function problemOf({ least, most, isOptional = false }: Field, text: string): string | null {
  if (isOptional && text.trim() === '') return null;
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most
    ? null
    : `${least.toLocaleString('en')} to ${most.toLocaleString('en')}`;
}

export function KeptLimitsForm() {
  const limits = useApp((state) => state.settings.values.keptLimits);
  const update = useApp((state) => state.settings.update);
  const [typed, setTyped] = useState<Typed | null>(null);
  const shown = typed ?? typedOf(limits);
  const isValid = fields.every((field) => problemOf(field, shown[field.name]) === null);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const keptDays = shown.keptDays.trim() === '' ? null : Number(shown.keptDays);
    await update({
      keptLimits: {
        keptCallbacks: Number(shown.keptCallbacks),
        keptDays,
        keptMegabytes: Number(shown.keptMegabytes),
        bodyKilobytes: Number(shown.bodyKilobytes),
        headerKilobytes: Number(shown.headerKilobytes),
      },
    });
    setTyped(null);
  };
  return (
    <form className={classes.limits} onSubmit={(event) => void save(event)}>
      {fields.map((field) => (
        <TextInput
          key={field.name}
          label={field.label}
          inputMode="numeric"
          value={shown[field.name]}
          error={problemOf(field, shown[field.name])}
          onChange={(event) => setTyped({ ...shown, [field.name]: event.currentTarget.value })}
        />
      ))}
      <p className={classes.words}>The oldest callbacks go first. A longer body is cut, and answered 413.</p>
      <Button type="submit" variant="default" disabled={typed === null || !isValid}>
        Save
      </Button>
    </form>
  );
}
