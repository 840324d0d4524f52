// The selected monitor beside the table: how it stands, its fields with Save (PATCH), Replace (PUT) and Duplicate, and, where
// the service tells them, its deliveries.
import { Button, CloseButton, TextInput } from '@mantine/core';
import { IconPower, IconSend } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { AppMonitor } from '#contract/procedures/monitors.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { RequestNotice } from '#renderer/ui/RequestNotice.tsx';
import { useLogTimes } from '#renderer/ui/use-log-times.ts';
import { useNow } from '#renderer/ui/use-now.ts';
import { Deliveries } from './Deliveries.tsx';
import { changesOf, type FormProblems, formOf, type MonitorForm, readForm } from './monitor-form.ts';
import { nextWords, type Standing, standingOf } from './standing.ts';
import classes from './MonitorPanel.module.css';

export function MonitorPanel({ monitor }: { readonly monitor: AppMonitor }) {
  const { facts, select } = useApp((state) => state.monitors);
  const now = useNow(1000);
  const standing = standingOf(monitor, facts, now);
  const { id, geo, callbackUri } = monitor;
  return (
    <section className={`rb-card ${classes.panel}`} aria-label={`Monitor ${id}`}>
      <div className={classes.head}>
        <h2 className="rb-mono rb-truncate" title={id}>
          {id}
        </h2>
        <span className="rb-badge" data-tone={standing.tone}>
          {badgeWords[standing.state]}
        </span>
        <CloseButton size="sm" aria-label="Close the monitor’s details" onClick={() => select(null)} />
      </div>
      <Facts monitor={monitor} standing={standing} />
      {/* What was saved, here or elsewhere, begins the form anew. */}
      <PanelForm key={`${id} ${callbackUri} ${geo.lat} ${geo.lng}`} monitor={monitor} />
      {facts !== null && <Deliveries monitor={monitor} />}
    </section>
  );
}

const badgeWords: Readonly<Record<Standing['state'], string>> = {
  delivering: 'delivering',
  failing: 'failing',
  off: 'off',
  sending: 'sending',
  never: 'never called',
  received: 'received here',
  unknown: 'not known',
};

function Facts({ monitor, standing }: { readonly monitor: AppMonitor; readonly standing: Standing }) {
  const told = useApp((state) => state.monitors.facts?.byMonitor.get(monitor.id));
  const isUntold = useApp((state) => state.monitors.isUntold);
  const times = useLogTimes();
  const { nextAllowedAt, state } = standing;
  return (
    <>
      {state === 'off' && <DeadNotice id={monitor.id} standing={standing} />}
      <dl className={classes.facts}>
        <dt>Last event</dt>
        <dd>{standing.words}</dd>
        {state !== 'off' && (
          <>
            <dt>Next allowed</dt>
            <dd className="rb-numbers">
              {nextWords(standing)}
              {nextAllowedAt !== null && ` (${times.clockSeconds(nextAllowedAt)} ${times.offsetName(nextAllowedAt)})`}
            </dd>
          </>
        )}
        {told && (
          <>
            <dt>Events</dt>
            <dd className="rb-numbers">
              {told.delivered} delivered, {told.failed} failed
              {told.failedInARow > 1 && ` (the last ${told.failedInARow} in a row)`}
            </dd>
          </>
        )}
      </dl>
      {isUntold && (
        <p className={classes.note}>
          This service tells nothing of deliveries. What stands here is what this app itself received.
        </p>
      )}
    </>
  );
}

function DeadNotice({ id, standing }: { readonly id: string; readonly standing: Standing }) {
  const turnOn = useApp((state) => state.monitors.turnOn);
  const isAsking = useApp((state) => state.monitors.asking.has(id));
  return (
    <div className={classes.dead} role="alert">
      <strong>The callback seems dead</strong>
      <p>It is not called any more{standing.reason === '' ? '' : `: ${standing.reason}`}.</p>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPower size={15} />}
        loading={isAsking}
        onClick={() => void turnOn(id)}
      >
        Turn on again
      </Button>
    </div>
  );
}

function PanelForm({ monitor }: { readonly monitor: AppMonitor }) {
  const { update, replace, duplicate, sendTest, saving, dialog, asking } = useApp((state) => state.monitors);
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const isTold = useApp((state) => state.monitors.facts !== null);
  const [form, setForm] = useState(() => panelFormOf(monitor));
  const [problems, setProblems] = useState<FormProblems>({});
  const read = readForm(form);
  const changes = read.ok ? changesOf(monitor, read.value) : {};
  const isChanged = !read.ok || Object.keys(changes).length > 0;
  const change = (part: Partial<MonitorForm>) => setForm({ ...form, ...part });
  const onSave = (event: FormEvent) => {
    event.preventDefault();
    setProblems(read.ok ? {} : read.problems);
    if (read.ok && isChanged) void update(monitor.id, changes);
  };
  /** Both write the whole monitor, so an address that the service did not return has to be typed. */
  const withEverything = (send: typeof replace) => () => {
    const whole = readForm({ ...form, target: 'address' });
    setProblems(whole.ok ? {} : whole.problems);
    if (whole.ok && whole.value.callback)
      void send(monitor.id, { geo: whole.value.geo, callback: whole.value.callback });
  };
  const isBusy = saving.state === 'loading' && dialog === null;
  return (
    <form onSubmit={onSave} noValidate className={classes.form}>
      <TextInput
        label="Callback URI"
        type="url"
        classNames={{ input: `rb-mono ${classes.small}` }}
        placeholder={monitor.callbackUri === null ? '(not returned by the service)' : 'https://example.net/rain'}
        value={form.address}
        error={problems.address}
        onChange={({ currentTarget: { value } }) =>
          change({ address: value, target: value === '' && monitor.callbackUri === null ? 'keep' : 'address' })
        }
      />
      <div className={classes.pair}>
        <TextInput
          label="Latitude"
          inputMode="decimal"
          classNames={{ input: `rb-mono ${classes.small}` }}
          value={form.lat}
          error={problems.lat}
          onChange={(event) => change({ lat: event.currentTarget.value })}
        />
        <TextInput
          label="Longitude"
          inputMode="decimal"
          classNames={{ input: `rb-mono ${classes.small}` }}
          value={form.lng}
          error={problems.lng}
          onChange={(event) => change({ lng: event.currentTarget.value })}
        />
      </div>
      {dialog === null && <RequestNotice request={saving} failedTitle="The monitor was not changed" />}
      <div className={classes.buttons}>
        <Button type="submit" size="xs" loading={isBusy} disabled={!isChanged}>
          Save (PATCH)
        </Button>
        <Button variant="default" size="xs" disabled={isBusy} onClick={withEverything(replace)}>
          Replace (PUT)
        </Button>
        <Button variant="subtle" size="xs" disabled={isBusy} onClick={withEverything((_id, draft) => duplicate(draft))}>
          Duplicate
        </Button>
        {isSandbox && isTold && (
          <Button
            variant="subtle"
            size="xs"
            leftSection={<IconSend size={14} />}
            loading={asking.has(monitor.id)}
            onClick={() => void sendTest(monitor.id)}
          >
            Send test event
          </Button>
        )}
      </div>
    </form>
  );
}

/** The address itself, also where it is this app's: the panel shows what stands on the wire. */
function panelFormOf(monitor: AppMonitor): MonitorForm {
  const { callbackUri } = monitor;
  return { ...formOf(monitor), target: callbackUri === null ? 'keep' : 'address', address: callbackUri ?? '' };
}
