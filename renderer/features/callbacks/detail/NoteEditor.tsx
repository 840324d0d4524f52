// The user's own note on a callback, saved when the field loses focus.
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Callback } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import { hiddenCharactersNote } from '@rainbell/shared';

export function NoteEditor({ callback }: { readonly callback: Pick<Callback, 'id' | 'note'> }) {
  const { setNote, noting } = useApp((state) => state.callbacks);
  const [note, setTyped] = useState(callback.note);
  const save = () => {
    if (note !== callback.note) void setNote(callback.id, note);
  };
  return (
    <>
      <Textarea
        spellCheck
        label="Note"
        placeholder="Only for you. To search notes, use note:text"
        autosize
        maxRows={6}
        maxLength={10_000}
        description={hiddenCharactersNote(note)}
        value={note}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
        }}
      />
      <RequestNotice request={noting} failedTitle="Couldn’t save the note" />
    </>
  );
}
