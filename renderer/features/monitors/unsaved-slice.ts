// What was typed into the details of monitors and is not saved yet, by monitor: closing the details, or opening those of
// another monitor, loses nothing.
import type { AppMonitor, MonitorNotes } from '#contract/procedures/monitors.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import { changesOf, type MonitorForm, panelFormOf, readForm } from './monitor-form.ts';
import type { MonitorsSlice } from './monitors-slice.ts';

/** The fields as typed, and the monitor as it was when the typing began. */
export type UnsavedFields = { start: AppMonitor; form: MonitorForm };

export type UnsavedPart = {
  unsavedFields: ReadonlyMap<string, UnsavedFields>;
  unsavedNotes: ReadonlyMap<string, MonitorNotes>;
  /** Null: saved, or given up; text as it was before counts as given up. */
  keepFields(id: string, fields: UnsavedFields | null): void;
  keepNotes(id: string, notes: MonitorNotes | null): void;
};

export const noUnsaved = { unsavedFields: new Map(), unsavedNotes: new Map() } satisfies Partial<UnsavedPart>;

export function createUnsavedPart({ read, change }: Pick<SliceTools<MonitorsSlice>, 'read' | 'change'>): UnsavedPart {
  return {
    ...noUnsaved,
    keepFields: (id, fields) =>
      change({ unsavedFields: withEntry(read().unsavedFields, id, fields && isTyped(fields) ? fields : null) }),
    keepNotes: (id, notes) => change({ unsavedNotes: withEntry(read().unsavedNotes, id, notes) }),
  };
}

/**
 * What the details show: the typed fields, or the monitor's own where nothing was typed, or where it came to stand elsewhere
 * as it was typed here.
 */
export function shownFields(monitor: AppMonitor, unsaved: UnsavedFields | undefined): UnsavedFields {
  if (unsaved && isAhead(unsaved, monitor)) return unsaved;
  return { start: monitor, form: panelFormOf(monitor) };
}

/** Not so where the text of every field is as it was; other text of the same meaning is still being typed. */
function isTyped({ start, form }: UnsavedFields): boolean {
  const untouched = panelFormOf(start);
  return form.address !== untouched.address || form.lat !== untouched.lat || form.lng !== untouched.lng;
}

function isAhead({ start, form }: UnsavedFields, monitor: AppMonitor): boolean {
  if (isSame(start, monitor)) return true;
  const read = readForm(form);
  return !read.ok || [start, monitor].every((seen) => Object.keys(changesOf(seen, read.value)).length > 0);
}

function isSame(one: AppMonitor, other: AppMonitor): boolean {
  return one.callbackUri === other.callbackUri && one.geo.lat === other.geo.lat && one.geo.lng === other.geo.lng;
}

function withEntry<T>(map: ReadonlyMap<string, T>, id: string, value: T | null): ReadonlyMap<string, T> {
  const changed = new Map(map);
  if (value === null) changed.delete(id);
  else changed.set(id, value);
  return changed;
}
