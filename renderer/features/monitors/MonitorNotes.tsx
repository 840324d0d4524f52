// Name, tags and note of the selected monitor. The service never sees them.
import { Button, TagsInput, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AppMonitor } from '#contract/procedures/monitors.ts';
import { useApp } from '#renderer/store/use-app.ts';
import classes from './MonitorPanel.module.css';

export function MonitorNotes({ monitor }: { readonly monitor: AppMonitor }) {
  const setNotes = useApp((state) => state.monitors.setNotes);
  const items = useApp((state) => state.monitors.items);
  const { id } = monitor;
  const [name, setName] = useState(monitor.name);
  const [tags, setTags] = useState<string[]>([...monitor.tags]);
  const [note, setNote] = useState(monitor.note);
  const isChanged =
    name.trim() !== monitor.name || note !== monitor.note || tags.join('\n') !== monitor.tags.join('\n');
  const save = (event: FormEvent) => {
    event.preventDefault();
    void setNotes(id, { name: name.trim(), tags, note });
  };
  return (
    <form className={classes.form} onSubmit={save}>
      <h3 className={classes.title}>Kept in this app only</h3>
      <TextInput
        label="Name"
        size="xs"
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TagsInput
        label="Tags"
        size="xs"
        maxTags={30}
        data={[...new Set(items.flatMap((other) => other.tags))].slice(0, 200)}
        value={tags}
        onChange={(chosen) => setTags(chosen.map((tag) => tag.trim().slice(0, 60)).filter((tag) => tag !== ''))}
      />
      <Textarea
        label="Note"
        size="xs"
        autosize
        minRows={1}
        maxRows={6}
        maxLength={10_000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <div className={classes.buttons}>
        <Button type="submit" size="xs" variant="default" disabled={!isChanged}>
          Keep
        </Button>
      </div>
    </form>
  );
}
