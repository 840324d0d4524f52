// A note on a front that someone looks after: no more notifications about it.
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Front } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { useUnsaved } from '../../ui/hooks/use-unsaved.ts';
import classes from '../monitors/common/MonitorDialogs.module.css';

export function AcknowledgeForm({ front }: { readonly front: Front }) {
  const { acknowledge, openDialog } = useApp((state) => state.fronts);
  const [note, setNote] = useState('');
  useUnsaved(note);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    openDialog(null);
    void acknowledge(front.id, note.trim());
  };
  return (
    <form onSubmit={submit}>
      <div className={`rb-stack ${classes.fields}`}>
        <TextInput
          label="Note"
          data-autofocus
          maxLength={500}
          placeholder="Customer notified, ticket 4711"
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </div>
      <p className="rb-fill rb-note">
        {`Stops notifications about this front. Its failures (${front.failed.toLocaleString('en')} so far) stay visible in the table and in the front’s summary.`}
      </p>
      <div className="rb-buttons">
        <Button type="submit">Acknowledge</Button>
        <Button variant="subtle" className={classes.cancel ?? ''} onClick={() => openDialog(null)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
