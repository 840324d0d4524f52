// What was typed into the details of monitors and is not saved yet, by monitor: closing the details, or opening those of
// another monitor, loses nothing.
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import type { SliceTools } from '../../../store/slice.ts';
import { formOf, isSameForm, type MonitorForm } from './monitor-form.ts';

/** Only the fields that were typed into: the others show what the monitor has now. */
export type TypedFields = Partial<Omit<MonitorForm, 'target'>>;

export interface UnsavedPart extends ReturnType<typeof createUnsavedPart> {}

export function createUnsavedPart({ read, change }: Pick<SliceTools<UnsavedPart>, 'read' | 'change'>) {
  const keepFields = (id: string, typed: TypedFields, isKept: (field: keyof TypedFields) => boolean) => {
    const kept = Object.entries(typed).filter(([field]) => isKept(field as keyof TypedFields));
    const unsavedFields = new Map(read().unsavedFields);
    if (kept.length === 0) unsavedFields.delete(id);
    else unsavedFields.set(id, Object.fromEntries(kept));
    change({ unsavedFields });
  };
  return {
    unsavedFields: new Map() as ReadonlyMap<string, TypedFields>,
    /** A field as the monitor has it counts as given up. */
    typeFields(monitor: AppMonitor, part: TypedFields): void {
      const own = formOf(monitor);
      const typed = { ...read().unsavedFields.get(monitor.id), ...part };
      keepFields(monitor.id, typed, (field) => !isSameForm({ ...own, [field]: typed[field] }, own));
    },
    /** What was typed since these fields were sent stays. */
    dropSaved(id: string, sent: TypedFields): void {
      const typed = read().unsavedFields.get(id) ?? {};
      keepFields(id, typed, (field) => sent[field] !== typed[field]);
    },
  };
}

export function shownForm(monitor: AppMonitor, typed: TypedFields | undefined): MonitorForm {
  const form = { ...formOf(monitor), ...typed };
  return { ...form, target: form.address === '' && monitor.callbackUri === null ? 'keep' : 'address' };
}

/** Whether something typed for it would be lost with the store. */
export function hasUnsaved(monitor: AppMonitor, { unsavedFields }: UnsavedPart): boolean {
  const typed = unsavedFields.get(monitor.id);
  return typed !== undefined && !isSameForm(shownForm(monitor, typed), formOf(monitor));
}
