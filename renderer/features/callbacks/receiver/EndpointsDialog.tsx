// The receiver's paths under names of their own, each with its sender, its secrets, and what it keeps; a click shows its callbacks.
import { Button, NativeSelect, NumberInput, PasswordInput, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect } from 'react';
import {
  type CustomRule,
  customRuleSchema,
  customTokens,
  type Endpoint,
  endpointSchema,
  type EndpointState,
  settingsTable,
} from '@rainbell/contract/app-rpc';
import type { OpenedAt } from './receiver-slice.ts';
import { useApp } from '../../../store/use-app.ts';
import { formatSize } from '../../../ui/text/durations.ts';
import { type EditedCard, EditedRowsDialog, RemoveButton } from '../../../widgets/EditedRowsDialog.tsx';
import { focusOnce } from '../../../ui/hooks/focus-once.ts';
import { freshId } from '../../../ui/hooks/fresh-id.ts';
import { boundFields } from '../../../ui/hooks/bound-fields.ts';
import { useFormClose } from '../../../ui/hooks/use-unsaved.ts';

export function EndpointsDialog({ at, onClose }: { readonly at: OpenedAt; readonly onClose: () => void }) {
  const { endpoints, endpointsRequest, loadEndpoints, replaceEndpoints } = useApp((state) => state.receiver);
  useEffect(() => void loadEndpoints(), [loadEndpoints]);
  return (
    <EditedRowsDialog<Row>
      title="Receiver paths"
      intro="The receiver accepts every path and recognizes senders automatically. Name a path to verify its sender’s signatures, to find its callbacks, or to keep fewer of them."
      first={endpoints && withPathOf(endpoints, at)}
      reading={{
        request: endpointsRequest,
        failedTitle: 'Couldn’t load the paths',
        loadingText: 'Loading paths',
        onRetry: () => void loadEndpoints(),
      }}
      newRow={() => newEndpoint('/')}
      addLabel="Add a path"
      problemsOf={problemsOf}
      saving={endpointsRequest}
      failedTitle="Couldn’t save the paths"
      onSave={(rows) =>
        replaceEndpoints(
          rows.map((row) => endpointSchema.parse(row)),
          Object.fromEntries(rows.flatMap(({ id, newSecrets }) => (newSecrets ? [[id, newSecrets]] : []))),
        )
      }
      onClose={onClose}
    >
      {(card) => <EndpointCard {...card} state={endpoints?.find(({ id }) => id === card.row.id)} />}
    </EditedRowsDialog>
  );
}

/** With secrets that were typed here and are not saved yet; an empty list: to be deleted. */
type Row = Endpoint & { newSecrets?: string[] | undefined };

type CardProps = EditedCard<Row> & { state: EndpointState | undefined };

function EndpointCard(props: Readonly<CardProps>) {
  const { row, state, isAdded, onChange, onRemove, text } = props;
  const search = useApp((app) => app.callbackSearch.search);
  const openRules = useApp((app) => app.rules.open);
  const close = useFormClose();
  const limit = (field: 'keptCallbacks' | 'keptDays' | 'keptMegabytes', label: string) => (
    <NumberInput
      label={label}
      placeholder="no separate limit"
      min={1}
      max={settingsTable[`keptLimits.${field}`].max}
      allowDecimal={false}
      value={row[field] ?? ''}
      onChange={(value) => onChange({ ...row, [field]: typeof value === 'number' ? value : null })}
    />
  );
  return (
    <fieldset className="rb-box rb-column" aria-label={row.name === '' ? 'New path' : row.name}>
      <TextInput label="Name" data-autofocus ref={isAdded ? focusOnce : null} {...text('name')} />
      <TextInput
        label="Path"
        description="End a path with * to match any suffix. The first match applies."
        {...text('path')}
      />
      <SenderFields {...props} />
      {limit('keptCallbacks', 'Callbacks to keep')}
      {limit('keptDays', 'Days to keep')}
      {limit('keptMegabytes', 'Megabytes to keep')}
      <div className="rb-buttons">
        {state && (
          <p className="rb-note">
            {state.total.toLocaleString('en')} stored · {formatSize(state.bytes)}
          </p>
        )}
        <span className="rb-fill" />
        <Button variant="subtle" onClick={() => close(() => openRules(true))}>
          Response rules…
        </Button>
        <Button
          variant="subtle"
          leftSection={<IconSearch />}
          onClick={() => {
            void search(`path:${row.path.replace(/\*$/, '')}`);
            close();
          }}
        >
          Show its callbacks
        </Button>
        <RemoveButton label={row.name === '' ? 'Remove the path' : `Remove ${row.name}`} onRemove={onRemove} />
      </div>
    </fieldset>
  );
}

const automatic = 'automatic';
const custom = 'custom';

function SenderFields({ row, state, problems, onChange }: Readonly<CardProps>) {
  const senders = useApp((app) => app.receiver.senders);
  const stored = state?.secrets ?? 0;
  const { sender: _sender, customRule: _rule, ...rest } = row;
  const text = (field: 'publicUrl' | 'verifyToken', value: string) => {
    const { [field]: _old, ...others } = row;
    onChange(value.trim() === '' ? others : { ...others, [field]: value.trim() });
  };
  const secretName = senders.find(({ id }) => id === row.sender)?.secretName ?? 'signing secret';
  return (
    <>
      <Select
        label="Sender"
        searchable
        allowDeselect={false}
        value={row.customRule ? custom : (row.sender ?? automatic)}
        data={[
          { value: automatic, label: 'Recognized by each request' },
          ...senders.map(({ id, name }) => ({ value: id, label: name })),
          { value: custom, label: 'Custom rule' },
        ]}
        onChange={(value) => {
          if (value === custom) onChange({ ...rest, customRule: emptyRule });
          else onChange(value === null || value === automatic ? rest : { ...rest, sender: value });
        }}
      />
      {row.customRule && (
        <CustomRuleFields
          rule={row.customRule}
          problem={problems.customRule}
          onChange={(rule) => onChange({ ...row, customRule: rule })}
        />
      )}
      <PasswordInput
        label={`Add a secret (${secretName})`}
        description={
          row.newSecrets?.length === 0
            ? 'The stored secrets will be deleted.'
            : `${stored === 1 ? '1 secret is stored.' : `${stored} secrets are stored.`} Each is tried, so you can add a test and a live one, or an old and a new one.`
        }
        value={row.newSecrets?.[0] ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...row, newSecrets: value.trim() ? [value.trim()] : undefined })
        }
      />
      {stored > 0 && (
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onChange({ ...row, newSecrets: [] })}>
          Delete stored secrets
        </Button>
      )}
      <TextInput
        label="Public URL"
        description="As registered with the sender. Twilio, Square, and HubSpot sign it."
        placeholder="https://hooks.example.com/in"
        value={row.publicUrl ?? ''}
        error={problems.publicUrl}
        onChange={(event) => text('publicUrl', event.currentTarget.value)}
      />
      <TextInput
        label="Verify token"
        description="Meta and Strava repeat it when they check the URL."
        value={row.verifyToken ?? ''}
        onChange={(event) => text('verifyToken', event.currentTarget.value)}
      />
    </>
  );
}

type RuleProps = { rule: CustomRule; problem: string | undefined; onChange: (rule: CustomRule) => void };

function CustomRuleFields({ rule, problem, onChange }: Readonly<RuleProps>) {
  const { text } = boundFields(rule, onChange, { header: problem, content: problem });
  return (
    <>
      <TextInput label="Signature header" description="For example X-Signature." {...text('header')} />
      <TextInput label="Prefix" description="Before the signature, for example sha256=." {...text('prefix')} />
      <NativeSelect
        label="Algorithm"
        data={['hmac-sha256', 'hmac-sha1', 'hmac-sha384', 'hmac-sha512', 'ed25519', 'equals']}
        {...text('algorithm')}
      />
      <NativeSelect label="Encoding" data={['hex', 'base64']} {...text('encoding')} />
      <NativeSelect label="Encoding of the secret" data={['text', 'hex', 'base64']} {...text('keyEncoding')} />
      <TextInput label="Signed text" description={`Text and tokens: ${customTokens.join(' ')}`} {...text('content')} />
    </>
  );
}

const emptyRule = customRuleSchema.parse({ header: 'X-Signature' });

/** With the path of a request in it, last, under its sender's name. */
function withPathOf(endpoints: readonly Endpoint[], { path, sender }: OpenedAt): readonly Endpoint[] {
  const isNamed = endpoints.some((one) =>
    one.path.endsWith('*') ? path?.startsWith(one.path.slice(0, -1)) : one.path === path,
  );
  if (path === undefined || isNamed) return endpoints;
  return [...endpoints, { ...newEndpoint(path), name: sender ?? path }];
}

function newEndpoint(path: string): Endpoint {
  return { id: freshId('path'), name: '', path, keptCallbacks: null, keptDays: null, keptMegabytes: null };
}

const problemTexts = {
  name: 'Enter a name of at most 100 characters.',
  publicUrl: 'Enter a URL that starts with https://.',
  customRule: 'Enter a header’s name, and only tokens that are listed.',
  path: 'Start with /. You can end with *.',
};

function problemsOf(row: Endpoint): Partial<typeof problemTexts> {
  const { error } = endpointSchema.safeParse(row);
  const fields = new Set(error?.issues.map(({ path }) => path[0]));
  return Object.fromEntries(Object.entries(problemTexts).filter(([field]) => fields.has(field)));
}
