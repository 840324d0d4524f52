// Name, tags, and note of a monitor, which only this app stores.
import { TagsInput, Textarea, TextInput } from '@mantine/core';
import type { MonitorNotes } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { boundFields } from '../../../ui/hooks/bound-fields.ts';
import { tagsOf } from '../common/monitor-form.ts';

type Props = { notes: MonitorNotes; onChange: (notes: MonitorNotes) => void };

export function NotesFields({ notes, onChange }: Readonly<Props>) {
  const items = useApp((state) => state.monitors.items);
  const { text } = boundFields(notes, onChange);
  return (
    <>
      <TextInput label="Name" description="Name, tags, and note stay in this app" maxLength={200} {...text('name')} />
      <TagsInput
        label="Tags"
        maxTags={30}
        data={tagsOf(items)}
        value={notes.tags}
        onChange={(tags) => onChange({ ...notes, tags: tags.map((tag) => tag.trim().slice(0, 60)).filter(Boolean) })}
      />
      <Textarea spellCheck label="Note" autosize minRows={1} maxRows={6} maxLength={10_000} {...text('note')} />
    </>
  );
}
