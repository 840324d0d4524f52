// What only this app keeps of a monitor: its name, tags, and note.
import type { MonitorNotes } from '@rainbell/contract/app-rpc';
import type { SliceTools } from '../../../store/slice.ts';
import { callOrToast, type NewToast } from '../../../store/toasts-slice.ts';
import type { DeliveriesPart } from './deliveries-slice.ts';
import type { MonitorListState } from './monitor-list-slice.ts';
import type { UnsavedPart } from './unsaved-slice.ts';

export interface NotesPart extends ReturnType<typeof createNotesPart> {}

export function createNotesPart(
  { client, read, change }: SliceTools<MonitorListState & DeliveriesPart & UnsavedPart>,
  show: (toast: NewToast) => void,
) {
  return {
    async setNotes(id: string, notes: MonitorNotes): Promise<boolean> {
      const typed = read().unsavedNotes.get(id);
      const done = await callOrToast(show, () => client.monitors.setNotes({ id, notes }));
      if (!done) return false;
      change({ items: read().items.map((monitor) => (monitor.id === id ? { ...monitor, ...notes } : monitor)) });
      // What was typed since they were sent stays.
      if (read().unsavedNotes.get(id) === typed) read().setUnsavedNotes(id, null);
      return true;
    },
  };
}
