// Writes one monitor: create, PATCH, PUT, "set callback to this app", and what only this app keeps: name, tags, and note. Deletes,
// which core holds back for some seconds, have Undo. Keeps what is typed and not saved.
import type { AppMonitor, MonitorNotes } from '@rainbell/contract/app-rpc';
import { plural } from '@rainbell/shared';
import { idle } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { callOrToast, failedToast, type NewToast } from '../../../store/toasts-slice.ts';
import type { DeliveriesPart } from './deliveries-slice.ts';
import { formOf, isSameForm, type MonitorForm } from './monitor-form.ts';
import type { MonitorDraft, MonitorListState } from './monitor-list-slice.ts';

export interface EditsPart extends ReturnType<typeof createEditsPart> {}

const undoSeconds = 8;

export function createEditsPart(
  {
    client,
    read,
    change,
    runCancelable,
  }: SliceTools<MonitorListState & { load(): Promise<void> } & DeliveriesPart & EditsPart & UnsavedPart>,
  show: (toast: NewToast) => void,
) {
  const put = (saved: AppMonitor) => {
    const { items } = read();
    const place = items.findIndex((monitor) => monitor.id === saved.id);
    change({ items: place < 0 ? [...items, saved] : items.with(place, saved) });
  };
  const save = async (
    call: (signal: AbortSignal) => Promise<AppMonitor>,
    done: (monitor: AppMonitor) => string,
    sent: TypedFields = {},
  ): Promise<boolean> => {
    const saved = await runCancelable('saving', call, {
      canceledText: 'The service may have applied the change. The list shows the current state.',
    });
    if (!saved) {
      void read().load();
      return false;
    }
    read().dropSaved(saved.id, sent);
    put(saved);
    change({ dialog: null });
    show({ tone: 'good', message: done(saved) });
    void read().load();
    return true;
  };
  const setDeletion = (ids: ReadonlySet<string>, deletion: AppMonitor['deletion']) =>
    change({ items: read().items.map((monitor) => (ids.has(monitor.id) ? { ...monitor, deletion } : monitor)) });
  /** The details of a monitor that was deleted elsewhere close with the next list, so a toast says why nothing was saved. */
  const refused = (id: string): false => {
    const { saving } = read();
    if (saving.state === 'failed' && saving.failure.code === 'NOT_FOUND') {
      show(failedToast(saving.failure, `Couldn’t save ${id}`));
      change({ dialog: null, saving: idle });
    }
    return false;
  };
  return {
    create: (draft: MonitorDraft & { notes?: MonitorNotes }): Promise<boolean> =>
      save(
        (signal) => client.monitors.create(draft, { signal }),
        ({ id, toThisApp }) => (toThisApp ? `Created ${id}, which sends callbacks to this app` : `Created ${id}`),
      ),
    /** PATCH with the changed fields only. `sent`: what was typed of them. */
    update: async (id: string, changes: Partial<MonitorDraft>, sent: TypedFields): Promise<boolean> =>
      (await save(
        (signal) => client.monitors.update({ id, changes }, { signal }),
        () => `Saved ${id}`,
        sent,
      )) || refused(id),
    /** PUT with everything. */
    replace: async (id: string, draft: MonitorDraft, sent: TypedFields): Promise<boolean> =>
      (await save(
        (signal) => client.monitors.replace({ id, ...draft }, { signal }),
        () => `Replaced ${id}`,
        sent,
      )) || refused(id),
    async setNotes(id: string, notes: MonitorNotes): Promise<boolean> {
      const { notes: typed } = read().unsavedFields.get(id) ?? {};
      const done = await callOrToast(show, () => client.monitors.setNotes({ id, notes }));
      if (!done) return false;
      change({ items: read().items.map((monitor) => (monitor.id === id ? { ...monitor, ...notes } : monitor)) });
      if (typed) read().dropSaved(id, { notes: typed });
      return true;
    },
    async deleteLater(ids: readonly string[]): Promise<void> {
      const result = await callOrToast(
        show,
        () => client.monitors.deleteLater({ ids: [...ids] }),
        'Nothing was deleted',
      );
      if (!result) return;
      setDeletion(new Set(ids), { state: 'held' });
      const [first, ...others] = ids;
      show({
        tone: 'plain',
        message:
          others.length === 0 ? `Deleting ${first}` : plural(ids.length, ['Deleting # monitor', 'Deleting # monitors']),
        seconds: undoSeconds,
        action: { label: 'Undo', run: () => void read().undoDelete(ids) },
      });
    },
    async undoDelete(ids: readonly string[]): Promise<void> {
      const result = await callOrToast(show, () => client.monitors.undoDelete({ ids: [...ids] }));
      if (!result) return;
      setDeletion(new Set(result.restored), null);
      const late = ids.length - result.restored.length;
      if (late > 0)
        show({
          tone: 'bad',
          message: plural(late, [
            'Couldn’t keep # monitor: already deleted',
            'Couldn’t keep # monitors: already deleted',
          ]),
        });
    },
    async callThisApp(id: string): Promise<void> {
      const changed = await callOrToast(
        show,
        () => client.monitors.update({ id, changes: { callback: { kind: 'this-app' } } }),
        `Couldn’t set the callback URL for ${id}`,
      );
      if (changed) {
        put(changed);
        show({ tone: 'good', message: `Callback URL for ${id} set to this app` });
      }
      void read().load();
    },
  };
}

/** Only the fields that were typed into: the others show what the monitor has now. */
export type TypedFields = Partial<Omit<MonitorForm, 'target'>>;

/** What was typed into the details of monitors and is not saved yet: closing the details, or opening others, loses nothing. */
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
