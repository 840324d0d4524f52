// The relayed requests, and one of them beside the handler's response.
import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Callback, HandlerSession } from '@rainbell/contract/app-rpc';
import { hiddenCharactersNote } from '@rainbell/shared';
import { useApp } from '../../store/use-app.ts';
import { Card } from '../../ui/controls/Card.tsx';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { FormDialog } from '../../ui/dialogs/FormDialog.tsx';
import { useFormClose, useUnsaved } from '../../ui/hooks/use-unsaved.ts';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { base64Of, bytesOf, textOf } from '../../viewers/body-text.ts';
import { budget } from '../../viewers/budget.ts';
import { HeaderTable } from '../../viewers/HeaderTable.tsx';
import { CallbackBody } from '../callbacks/detail/CallbackBody.tsx';
import { SendResponse } from '../callbacks/send/SendResponse.tsx';
import classes from './RelayedCard.module.css';

export function RelayedCard({ session }: { readonly session: HandlerSession }) {
  const { shown, choose, replay } = useApp((state) => state.handler);
  const [isEditing, setEditing] = useState(false);
  const entries = session.entries.filter((entry) => entry.kind !== 'checked').toReversed();
  const text = shown && shown.sizeBytes <= budget.editableCharacters ? textOf(bytesOf(shown.bodyBase64)) : undefined;
  return (
    <Card title="Events">
      {entries.length === 0 ? (
        <p className="rb-dim">No events yet. Send one here, or from any sender to the URL above.</p>
      ) : (
        <ul className="rb-box rb-tight rb-short rb-whole" aria-label="Events">
          {entries.map((entry) => (
            <li key={entry.number}>
              {entry.kind === 'note' ? (
                <p className="rb-note">{entry.text}</p>
              ) : (
                <button
                  type="button"
                  className={`rb-item ${classes.event}`}
                  aria-pressed={shown?.id === entry.callbackId}
                  onClick={() => void choose(entry.callbackId)}
                >
                  <span className="rb-mono">{entry.callbackId}</span>
                  <span className="rb-truncate">
                    <ForeignText text={entry.isReplay ? 'Replayed with a new signature' : entry.request} />
                  </span>
                  <span className="rb-tone" data-tone={entry.isOk ? 'good' : 'bad'}>
                    {entry.response}
                  </span>
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {shown && (
        <div className="rb-row">
          <TaskButton task={() => replay(shown.id, null)}>Replay signed</TaskButton>
          <Button disabled={text === undefined} onClick={() => setEditing(true)}>
            Edit and send…
          </Button>
        </div>
      )}
      {shown && <Pair callback={shown} />}
      {isEditing && shown && text !== undefined && (
        <FormDialog title="Edit and send signed" size="lg" onClose={() => setEditing(false)}>
          <EditForm text={text} onSend={(body) => replay(shown.id, base64Of(body))} />
        </FormDialog>
      )}
    </Card>
  );
}

function Pair({ callback }: { readonly callback: Callback }) {
  const { id, method, target, headers, sends } = callback;
  const [newest] = sends;
  return (
    <div className={classes.pair}>
      <section className="rb-stack" aria-label="Request">
        <h3>{`Request ${id}`}</h3>
        <p className="rb-note rb-mono">
          <ForeignText text={`${method} ${target}`} limit={1000} canShowMore />
        </p>
        <HeaderTable headers={headers} />
        <CallbackBody callback={callback} />
      </section>
      <div className="rb-stack">
        <h3>The handler’s response</h3>
        {newest ? <SendResponse send={newest} /> : <p className="rb-note">Waiting for the response…</p>}
      </div>
    </div>
  );
}

function EditForm({ text, onSend }: { readonly text: string; readonly onSend: (body: string) => Promise<boolean> }) {
  const [body, setBody] = useState(text);
  const [saved, setSaved] = useState<string>();
  useUnsaved(body, saved);
  const close = useFormClose();
  const send = async () => {
    setSaved(body);
    await onSend(body);
    close();
  };
  return (
    <div className="rb-stack">
      <Textarea
        label="Body"
        description={hiddenCharactersNote(body)}
        autosize
        minRows={6}
        maxRows={18}
        classNames={{ input: 'rb-mono' }}
        data-autofocus
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
      <div className="rb-buttons">
        <TaskButton variant="filled" task={send}>
          Send signed
        </TaskButton>
      </div>
    </div>
  );
}
