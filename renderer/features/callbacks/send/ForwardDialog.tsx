// URLs to which each new callback is forwarded automatically, and the state of each.
import { Checkbox, NativeSelect, NumberInput, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { type ForwardState, type ForwardTarget, forwardTargetSchema } from '@rainbell/contract/app-rpc';
import { plural } from '@rainbell/shared';
import { useApp } from '../../../store/use-app.ts';
import { type EditedCard, EditedRowsDialog, RemoveButton } from '../../../widgets/EditedRowsDialog.tsx';
import { focusOnce } from '../../../ui/hooks/focus-once.ts';
import { freshId } from '../../../ui/hooks/fresh-id.ts';
import { headersOfText, headersProblem, headersText } from './send-form.ts';
import { SigningSelect } from './SigningSelect.tsx';

export function ForwardDialog({ onClose }: { readonly onClose: () => void }) {
  const { targets, targetsRequest, loadTargets, replaceTargets } = useApp((state) => state.callbackSends);
  const loadSenders = useApp((state) => state.receiver.loadEndpoints);
  useEffect(() => {
    void loadTargets();
    void loadSenders();
  }, [loadTargets, loadSenders]);
  return (
    <EditedRowsDialog<Row>
      title="Forward callbacks"
      intro="Each new callback is forwarded to every enabled URL, after its sender has received the response. The results are on the callback’s Sent tab."
      first={targets && targets.map((target) => ({ ...target, headerLines: headersText(target.headers), secret: '' }))}
      reading={{
        request: targetsRequest,
        failedTitle: 'Couldn’t load the URLs',
        loadingText: 'Loading URLs',
        onRetry: () => void loadTargets(),
      }}
      newRow={() => ({
        ...forwardTargetSchema.parse({ id: freshId('target'), url: 'x', isOn: true }),
        url: '',
        headerLines: '',
        hasSecret: false,
        secret: '',
      })}
      addLabel="Add a URL"
      max={20}
      problemsOf={problemsOf}
      saving={targetsRequest}
      failedTitle="Couldn’t save the URLs"
      onSave={(rows) =>
        replaceTargets(
          rows.map((row) => forwardTargetSchema.parse({ ...row, headers: headersOfText(row.headerLines) })),
          Object.fromEntries(rows.filter(({ secret }) => secret !== '').map(({ id, secret }) => [id, secret])),
        )
      }
      onClose={onClose}
    >
      {(card) => <TargetCard {...card} fares={targets?.find(({ id }) => id === card.row.id)} />}
    </EditedRowsDialog>
  );
}

type Row = ForwardTarget &
  Pick<ForwardState, 'hasSecret'> & {
    headerLines: string;
    /** As typed; empty: the stored one. */
    secret: string;
  };

type CardProps = EditedCard<Row> & { fares: ForwardState | undefined };

function TargetCard({ row, fares, problems, isAdded, onChange, onRemove, text, checked }: Readonly<CardProps>) {
  return (
    <fieldset className="rb-box rb-column" aria-label={row.url === '' ? 'New URL' : row.url}>
      <TextInput
        label="URL"
        data-autofocus
        placeholder="http://127.0.0.1:3000/webhooks"
        ref={isAdded ? focusOnce : null}
        {...text('url')}
      />
      <TextInput
        label="Only callbacks to this path"
        description="End a path with * to match any suffix."
        {...text('path')}
      />
      <Checkbox label="Append the callback’s path and query" {...checked('keepsPath')} />
      <Textarea
        label="Added headers"
        description="One per line. A header of the same name is replaced."
        autosize
        maxRows={6}
        classNames={{ input: 'rb-mono' }}
        {...text('headerLines')}
      />
      <SigningSelect
        value={row.signing}
        isEditing={false}
        onChange={(signing) => onChange({ ...row, signing: signing || 'as-received' })}
      />
      {row.signing !== 'as-received' && <SignAsFields row={row} problem={problems.secret} onChange={onChange} />}
      <NumberInput
        label="Retries"
        description="After no response, 408, 425, 429, or 5xx: after 1 s, 2 s, 4 s, 8 s, and 16 s."
        min={0}
        max={5}
        clampBehavior="strict"
        allowDecimal={false}
        value={row.retries}
        onChange={(value) => onChange({ ...row, retries: Number(value) || 0 })}
      />
      <div className="rb-buttons">
        <Switch label="On" {...checked('isOn')} />
        {fares && <p className="rb-note">{forwardSummary(fares)}</p>}
        <span className="rb-fill" />
        <RemoveButton label={row.url === '' ? 'Remove the URL' : `Remove ${row.url}`} onRemove={onRemove} />
      </div>
      {fares?.last && (
        <p className="rb-note" data-bad={fares.last.isOk ? undefined : true}>
          Last: {fares.last.message}
        </p>
      )}
    </fieldset>
  );
}

type SignAsProps = { row: Row; problem: string | undefined; onChange: (row: Row) => void };

function SignAsFields({ row, problem, onChange }: Readonly<SignAsProps>) {
  const senders = useApp((state) => state.receiver.senders);
  const secretName = senders.find(({ id }) => id === row.sender)?.secretName;
  return (
    <>
      <NativeSelect
        label="Sign as"
        data={[
          { value: '', label: 'The callback’s own sender, with its stored secret' },
          ...senders.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={row.sender ?? ''}
        onChange={(event) =>
          onChange({ ...row, sender: event.currentTarget.value || null, secret: '', hasSecret: false })
        }
      />
      {row.sender !== null && (
        <PasswordInput
          label={`Secret (${secretName ?? 'signing secret'})`}
          description={
            row.hasSecret ? 'A secret is stored. Enter another one to replace it.' : 'As your handler has it.'
          }
          value={row.secret}
          error={problem}
          onChange={(event) => onChange({ ...row, secret: event.currentTarget.value.trim() })}
        />
      )}
    </>
  );
}

function forwardSummary({ sent, accepted, failed, waiting }: ForwardState): string {
  const parts = [
    plural(sent, ['# sent', '# sent']),
    plural(accepted, ['# accepted', '# accepted']),
    ...(failed > 0 ? [plural(failed, ['# failed', '# failed'])] : []),
    ...(waiting > 0 ? [plural(waiting, ['# waiting', '# waiting'])] : []),
  ];
  return parts.join(' · ');
}

function problemsOf(row: Row) {
  const address = URL.parse(row.url);
  const count = headersOfText(row.headerLines).length;
  const wrong = headersProblem(row.headerLines) ?? (count > 20 ? 'Enter at most 20 headers.' : undefined);
  const isWrong = (field: 'url' | 'path') => !forwardTargetSchema.shape[field].safeParse(row[field]).success;
  return {
    ...(!address || !/^https?:$/.test(address.protocol) || isWrong('url')
      ? { url: 'Enter a URL that starts with http:// or https://.' }
      : {}),
    ...(isWrong('path') ? { path: 'Start with /. You can end with *.' } : {}),
    ...(wrong === undefined ? {} : { headerLines: wrong }),
    ...(row.sender !== null && row.secret === '' && !row.hasSecret ? { secret: 'Enter the secret.' } : {}),
  };
}
