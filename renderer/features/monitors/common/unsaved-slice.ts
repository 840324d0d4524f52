// What was typed into the details of monitors and is not saved yet, by monitor: closing the details, or opening those of
// another monitor, loses nothing.
import { isSamePlace } from '@rainbell/contract/service-api';
import { normalUrl } from '@rainbell/shared';
import type { AppMonitor, MonitorNotes } from '@rainbell/contract/app-rpc';
import type { SliceTools } from '../../../store/slice.ts';
import type { BulkWrites } from './bulk-slice.ts';
import { changesOf, formOf, isSameOptions, type MonitorForm, readForm } from './monitor-form.ts';
import type { MonitorListState } from './monitor-list-slice.ts';

/** The fields as typed, and the monitor as it was when the typing began. */
export type UnsavedFields = { start: AppMonitor; form: MonitorForm };

export interface UnsavedPart extends ReturnType<typeof createUnsavedPart> {}

export function createUnsavedPart({
  read,
  change,
}: Pick<SliceTools<MonitorListState & UnsavedPart>, 'read' | 'change'>) {
  return {
    unsavedFields: new Map() as ReadonlyMap<string, UnsavedFields>,
    unsavedNotes: new Map() as ReadonlyMap<string, MonitorNotes>,
    /** Null: given up; text as it was before counts as given up. */
    setUnsavedFields: (id: string, fields: UnsavedFields | null): void =>
      change({ unsavedFields: withEntry(read().unsavedFields, id, fields && isTyped(fields) ? fields : null) }),
    setUnsavedNotes: (id: string, notes: MonitorNotes | null): void =>
      change({ unsavedNotes: withEntry(read().unsavedNotes, id, notes) }),
    /**
     * The user's own write returned this monitor, and the edit continues on it, so that it does not count as another user's change.
     * `sent`: the details' fields, if they were written.
     */
    rebaseFields(written: AppMonitor, sent?: MonitorForm): void {
      const listed = read().items.find(({ id }) => id === written.id) ?? written;
      const { start, form } = shownFields(listed, read().unsavedFields.get(written.id));
      const untyped = sent ?? formOf(start);
      read().setUnsavedFields(written.id, { start: written, form: withTyped(formOf(written), form, untyped) });
    },
    /** An action on many has written these fields of these monitors, and the list was read since. */
    rebaseOnList({ ids, fields }: BulkWrites): void {
      const { items, unsavedFields } = read();
      for (const listed of items) {
        const start = unsavedFields.get(listed.id)?.start;
        if (!start || !ids.has(listed.id)) continue;
        const written = Object.fromEntries([...fields].map((field) => [field, listed[field]]));
        read().rebaseFields({ ...start, ...written });
      }
    },
  };
}

/**
 * Returns what the details show: the typed fields, or the monitor's own if nothing was typed or the monitor already has the typed
 * values.
 */
export function shownFields(monitor: AppMonitor, unsaved: UnsavedFields | undefined): UnsavedFields {
  if (unsaved && isAhead(unsaved, monitor)) return unsaved;
  return { start: monitor, form: formOf(monitor) };
}

/** Whether something typed for it would be lost with the store. */
export function hasUnsaved(monitor: AppMonitor, { unsavedFields, unsavedNotes }: UnsavedPart): boolean {
  const fields = unsavedFields.get(monitor.id);
  return (fields !== undefined && isAhead(fields, monitor)) || unsavedNotes.has(monitor.id);
}

/** Not if the text of every field is unchanged; other text of the same meaning is still being typed. */
function isTyped({ start, form }: UnsavedFields): boolean {
  const untouched = formOf(start);
  const isSameText = (['address', 'lat', 'lng'] as const).every((field) => form[field] === untouched[field]);
  return !isSameText || !isSameOptions(form.options, untouched.options);
}

/** Whether a field that was changed here has another value in the service. */
function isAhead({ start, form }: UnsavedFields, monitor: AppMonitor): boolean {
  if (isSame(start, monitor)) return true;
  const read = readForm(form);
  if (!read.ok) return true;
  const theirs = changesOf(monitor, read.value);
  return Object.keys(changesOf(start, read.value)).some((field) => field in theirs);
}

/** Returns the fields on the screen that differ from what they were before the typing. */
function withTyped(form: MonitorForm, shown: MonitorForm, before: MonitorForm): MonitorForm {
  const options = isSameOptions(shown.options, before.options) ? form.options : shown.options;
  return {
    ...(shown.address === before.address ? form : { ...form, target: shown.target, address: shown.address }),
    ...(options && { options }),
    lat: shown.lat === before.lat ? form.lat : shown.lat,
    lng: shown.lng === before.lng ? form.lng : shown.lng,
  };
}

function isSame(one: AppMonitor, other: AppMonitor): boolean {
  return (
    isSamePlace(one.geo, other.geo) &&
    normalUrl(one.callbackUri ?? '') === normalUrl(other.callbackUri ?? '') &&
    isSameOptions(one.options, other.options)
  );
}

function withEntry<T>(map: ReadonlyMap<string, T>, id: string, value: T | null): ReadonlyMap<string, T> {
  const changed = new Map(map);
  if (value === null) changed.delete(id);
  else changed.set(id, value);
  return changed;
}
