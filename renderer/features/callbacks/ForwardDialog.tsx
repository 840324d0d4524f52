// Addresses to which each new callback is forwarded by itself, and how each fares.
import { ActionIcon, Button, Checkbox, Switch, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { type ForwardState, type ForwardTarget, forwardTargetSchema } from '#contract/procedures/callback-sends.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { Dialog } from '#renderer/ui/Dialog.tsx';
import { RequestNotice } from '#renderer/ui/RequestNotice.tsx';
import classes from './Dialogs.module.css';

export function ForwardDialog({ onClose }: { readonly onClose: () => void }) {
  const { targets, targetsRequest, loadTargets } = useApp((state) => state.callbackSends);
  useEffect(() => void loadTargets(), [loadTargets]);
  return (
    <Dialog title="Forward callbacks" size="xl" onClose={onClose}>
      <p className={classes.words}>
        Each new callback goes once to every address that is on, after its sender had its answer. What comes back stands
        in the callback’s part “Sent”.
      </p>
      {targets ? (
        <TargetsForm targets={targets} onClose={onClose} />
      ) : (
        <RequestNotice
          request={targetsRequest}
          failedTitle="The addresses could not be read"
          loadingWords="Reading…"
          onRetry={() => void loadTargets()}
        />
      )}
    </Dialog>
  );
}

function TargetsForm({
  targets,
  onClose,
}: {
  readonly targets: readonly ForwardState[];
  readonly onClose: () => void;
}) {
  const { replaceTargets, targetsRequest } = useApp((state) => state.callbackSends);
  const [rows, setRows] = useState<readonly ForwardTarget[]>(targets);
  const [areProblemsShown, setProblemsShown] = useState(false);
  const change = (changed: ForwardTarget) => setRows(rows.map((row) => (row.id === changed.id ? changed : row)));
  const save = async () => {
    setProblemsShown(true);
    if (rows.some((row) => problemOf(row) !== undefined)) return;
    if (await replaceTargets(rows.map((row) => forwardTargetSchema.parse(row)))) onClose();
  };
  return (
    <div className={classes.form}>
      {rows.map((row) => (
        <TargetCard
          key={row.id}
          row={row}
          fares={targets.find(({ id }) => id === row.id)}
          problem={areProblemsShown ? problemOf(row) : undefined}
          onChange={change}
          onRemove={() => setRows(rows.filter(({ id }) => id !== row.id))}
        />
      ))}
      <RequestNotice request={targetsRequest} failedTitle="The addresses were not saved" />
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          disabled={rows.length >= 20}
          onClick={() => setRows([...rows, { id: freshId(rows), url: '', isOn: true, path: '/*', keepsPath: false }])}
        >
          Add an address
        </Button>
        <span className={classes.space} />
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={targetsRequest.state === 'loading'} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </div>
  );
}

type CardProps = {
  row: ForwardTarget;
  fares: ForwardState | undefined;
  problem: string | undefined;
  onChange: (row: ForwardTarget) => void;
  onRemove: () => void;
};

function TargetCard({ row, fares, problem, onChange, onRemove }: Readonly<CardProps>) {
  return (
    <fieldset className={classes.card} aria-label={row.url === '' ? 'New address' : row.url}>
      <TextInput
        label="Address"
        placeholder="http://127.0.0.1:3000/webhooks"
        value={row.url}
        error={problem}
        onChange={(event) => onChange({ ...row, url: event.currentTarget.value })}
      />
      <TextInput
        label="Only callbacks of this path"
        description="A * at the end stands for any rest."
        value={row.path}
        onChange={(event) => onChange({ ...row, path: event.currentTarget.value })}
      />
      <Checkbox
        label="The callback’s path and query follow the address"
        checked={row.keepsPath}
        onChange={(event) => onChange({ ...row, keepsPath: event.currentTarget.checked })}
      />
      <div className={classes.buttons}>
        <Switch
          label="On"
          checked={row.isOn}
          onChange={(event) => onChange({ ...row, isOn: event.currentTarget.checked })}
        />
        {fares && <p className={classes.facts}>{faresWords(fares)}</p>}
        <span className={classes.space} />
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${row.url || 'the address'}`} onClick={onRemove}>
          <IconTrash size={17} />
        </ActionIcon>
      </div>
      {fares?.last && (
        <p className={classes.facts} data-bad={fares.last.isOk ? undefined : true}>
          Last: {fares.last.message}
        </p>
      )}
    </fieldset>
  );
}

function faresWords({ sent, accepted, failed, skipped, waiting }: ForwardState): string {
  const parts = [
    `${sent.toLocaleString('en')} sent`,
    `${accepted.toLocaleString('en')} accepted`,
    ...(failed > 0 ? [`${failed.toLocaleString('en')} failed`] : []),
    ...(skipped > 0 ? [`${skipped.toLocaleString('en')} skipped`] : []),
    ...(waiting > 0 ? [`${waiting.toLocaleString('en')} waiting`] : []),
  ];
  return parts.join(' · ');
}

function problemOf(row: ForwardTarget): string | undefined {
  const url = URL.parse(row.url);
  if (!url || !/^https?:$/.test(url.protocol)) return 'Type an address that begins with http:// or https://.';
  return forwardTargetSchema.safeParse(row).success ? undefined : 'The path must begin with / and may end with *.';
}

function freshId(rows: readonly ForwardTarget[]): string {
  const numbers = rows.map(({ id }) => Number(/^target-(\d+)$/.exec(id)?.[1] ?? 0));
  return `target-${Math.max(0, ...numbers) + 1}`;
}
