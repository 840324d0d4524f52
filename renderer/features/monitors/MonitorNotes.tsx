// Name, tags, and note of the selected monitor. The service does not get them.
import { Button, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import type { AppMonitor, MonitorNotes as Notes } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import classes from './common/MonitorPanel.module.css';

export function MonitorNotes({ monitor }: { readonly monitor: AppMonitor }) {
  const { setNotes, setUnsavedNotes, items } = useApp((state) => state.monitors);
  const unsaved = useApp((state) => state.monitors.unsavedNotes.get(monitor.id));
  const { id } = monitor;
  const { name, tags, note } = unsaved ?? monitor;
  const isChanged = !isSame({ name: name.trim(), tags, note }, monitor);
  const type = (part: Partial<Notes>) => {
    const typed = { name, tags, note, ...part };
    setUnsavedNotes(id, isSame(typed, monitor) ? null : typed);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    void setNotes(id, { name: name.trim(), tags, note });
  };
  return (
    <form className="rb-stack" onSubmit={save}>
      <h3 className={`rb-row rb-eyebrow ${classes.title}`}>Name, tags, and note (only in this app)</h3>
      <TextInput
        label="Name"
        size="xs"
        maxLength={200}
        value={name}
        onChange={(event) => type({ name: event.currentTarget.value })}
      />
      <TagsInput
        label="Tags"
        size="xs"
        maxTags={30}
        data={[...new Set(items.flatMap((other) => other.tags))].slice(0, 200)}
        value={[...tags]}
        onChange={(chosen) => type({ tags: chosen.map((tag) => tag.trim().slice(0, 60)).filter((tag) => tag !== '') })}
      />
      <Textarea
        spellCheck
        label="Note"
        size="xs"
        autosize
        minRows={1}
        maxRows={6}
        maxLength={10_000}
        value={note}
        onChange={(event) => type({ note: event.currentTarget.value })}
      />
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
