// Name, tags, and note of the selected monitor. The service does not get them.
import { Button } from '@mantine/core';
import type { AppMonitor, MonitorNotes as Notes } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { submitBy } from '../../ui/hooks/submit-by.ts';
import { NotesFields } from './form/NotesFields.tsx';
import classes from './common/MonitorPanel.module.css';

export function MonitorNotes({ monitor }: { readonly monitor: AppMonitor }) {
  const { setNotes, setUnsavedNotes } = useApp((state) => state.monitors);
  const unsaved = useApp((state) => state.monitors.unsavedNotes.get(monitor.id));
  const { id } = monitor;
  const { name, tags, note } = unsaved ?? monitor;
  const isChanged = !isSame({ name: name.trim(), tags, note }, monitor);
  const type = (typed: Notes) => setUnsavedNotes(id, isSame(typed, monitor) ? null : typed);
  return (
    <form className="rb-stack" onSubmit={submitBy(() => setNotes(id, { name: name.trim(), tags, note }))}>
      <h3 className={`rb-row rb-eyebrow ${classes.title}`}>Notes</h3>
      <NotesFields notes={{ name, tags: [...tags], note }} size="xs" onChange={type} />
      <div className="rb-row rb-wrap">
        <Button type="submit" size="xs" variant="default" disabled={!isChanged}>
          Save notes
        </Button>
      </div>
    </form>
  );
}

function isSame(one: Notes, other: Notes): boolean {
  return one.name === other.name && one.note === other.note && one.tags.join('\n') === other.tags.join('\n');
}
