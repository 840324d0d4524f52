// Sends a callback again: as received, or edited first; to this app's receiver or to any other URL.
import { Button, NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Callback, CallbackSend } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { FormDialog } from '../../../ui/dialogs/FormDialog.tsx';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import { formatSize } from '../../../ui/text/durations.ts';
import { boundFields } from '../../../ui/hooks/bound-fields.ts';
import { submitBy } from '../../../ui/hooks/submit-by.ts';
import { useUnsaved } from '../../../ui/hooks/use-unsaved.ts';
import { hiddenCharactersNote, isConnectionHeader } from '@rainbell/shared';
import { base64Of, bytesOf, textOf } from '../../../viewers/body-text.ts';
import { budget } from '../../../viewers/budget.ts';
import { SendResponse } from './SendResponse.tsx';
import { headersOfText, headersText, sendProblems } from './send-form.ts';
import { type SigningChoice, SigningSelect } from './SigningSelect.tsx';

type Props = { callback: Callback; onClose: () => void };

export function SendDialog({ callback, onClose }: Readonly<Props>) {
  const [mode, setMode] = useState<'as-is' | 'edit'>('as-is');
  return (
    <FormDialog title="Replay this callback" size="xl" onClose={onClose}>
      <SegmentedControl
        aria-label="Request to send"
        value={mode}
        onChange={setMode}
        data={[
          { value: 'as-is', label: 'Unchanged' },
          { value: 'edit', label: 'Edit first' },
        ]}
      />
      <SendForm callback={callback} isEditing={mode === 'edit'} onClose={onClose} />
    </FormDialog>
  );
}

function SendForm({ callback, isEditing, onClose }: Readonly<Props & { isEditing: boolean }>) {
  const { sending, replay } = useApp((state) => state.callbackSends);
  const baseUrl = useApp((state) => state.frame.status?.receiver.baseUrl) ?? '';
  const ownUrl = `${baseUrl}${callback.target}`;
  const editable = useMemo(() => editableText(callback.bodyBase64), [callback.bodyBase64]);
  const [signing, setSigning] = useState<SigningChoice>('');
  const [typed, setTyped] = useState(() => ({
    method: callback.method,
    url: ownUrl,
    headers: headersText(callback.headers.filter(([name]) => !isConnectionHeader(name))),
    body: editable.text ?? '',
  }));
  const { method, url, headers, body } = typed;
  const [areProblemsShown, setProblemsShown] = useState(false);
  const { text } = boundFields(typed, setTyped, areProblemsShown ? sendProblems(typed) : {});
  /** The newest response, and what was typed for it. */
  const [done, setDone] = useState<{ send: CallbackSend; typed: typeof typed }>();
  useUnsaved(typed, done?.typed);

  const send = async () => {
    setProblemsShown(true);
    if (Object.keys(sendProblems(typed)).length > 0) return;
    const bodyBase64 = !isEditing || editable.text === undefined ? callback.bodyBase64 : base64Of(body);
    setDone(undefined);
    const sent = await replay({
      id: callback.id,
      url: url === ownUrl && !isEditing ? null : url,
      signing: signing || (isEditing ? undefined : 'as-received'),
      edited: isEditing ? { method, headers: headersOfText(headers), bodyBase64 } : undefined,
    });
    if (sent) setDone({ send: sent, typed });
  };
  return (
    <>
      <form className="rb-stack" onSubmit={submitBy(send)}>
        <TextInput
          data-autofocus
          label="URL"
          description="This app’s receiver, or any URL. Link-local addresses are never contacted."
          {...text('url')}
        />
        <SigningSelect value={signing} isEditing={isEditing} onChange={setSigning} />
        {isEditing && (
          <>
            <NativeSelect
              label="Method"
              data={[...new Set([callback.method, 'POST', 'PUT', 'PATCH', 'GET', 'DELETE', 'HEAD', 'OPTIONS'])]}
              {...text('method')}
            />
            <Textarea
              label="Headers"
              description="One per line. Host, Content-Length, and Connection are set automatically."
              autosize
              maxRows={10}
              classNames={{ input: 'rb-mono' }}
              {...text('headers')}
            />
            {editable.text === undefined ? (
              <p className="rb-dim">{editable.reason}</p>
            ) : (
              <Textarea
                label="Body"
                autosize
                minRows={4}
                maxRows={14}
                classNames={{ input: 'rb-mono' }}
                {...text('body')}
                description={hiddenCharactersNote(body)}
              />
            )}
          </>
        )}
        <RequestNotice
          request={sending}
          failedTitle="Couldn’t send the callback"
          loadingText="Waiting for the response"
        />
        <div className="rb-buttons">
          <Button variant="subtle" onClick={onClose}>
            Close
          </Button>
          <Button variant="filled" type="submit" leftSection={<IconSend />} loading={sending.state === 'loading'}>
            Send
          </Button>
        </div>
      </form>
      {done && <SendResponse send={done.send} />}
    </>
  );
}

/** The body as text that a field can hold; without one, why not. */
function editableText(bodyBase64: string): { text: string; reason?: undefined } | { text?: undefined; reason: string } {
  const bytes = bytesOf(bodyBase64);
  if (bytes.length > budget.editableCharacters)
    return {
      reason: `The body (${formatSize(bytes.length)}) is too large to edit here (limit: ${formatSize(budget.editableCharacters)}). It will be sent unchanged.`,
    };
  const text = textOf(bytes);
  return text === undefined ? { reason: 'The body isn’t UTF-8 text, so it will be sent unchanged.' } : { text };
}
