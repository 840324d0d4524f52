// The dialogs of monitors, and the form of a new one.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { eventRulesOf, type LatLng, type Rain } from '@rainbell/contract/service-api';
import { useShownPlace } from '../../forecast/selectors.ts';
import { useApp } from '../../../store/use-app.ts';
import { FormButtons, FormDialog } from '../../../ui/dialogs/FormDialog.tsx';
import { FeatureParts } from '../../../widgets/FeatureParts.tsx';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import { submitBy } from '../../../ui/hooks/submit-by.ts';
import { useUnsaved } from '../../../ui/hooks/use-unsaved.ts';
import { formFor, type FormProblems, type MonitorForm, readForm } from '../common/monitor-form.ts';
import { BulkForm } from '../bulk/BulkForm.tsx';
import { bulkTitle } from '../common/bulk-tasks.ts';
import { CallbackFields } from './CallbackFields.tsx';
import { EventFields } from './EventFields.tsx';
import { NotesFields } from './NotesFields.tsx';
import { PlaceFields } from './PlaceFields.tsx';
import { ImportForm } from '../bulk/ImportForm.tsx';
import type { MonitorDialog } from '../common/monitor-list-slice.ts';
import { TaskButton } from '../../../ui/controls/TaskButton.tsx';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { useLogTimes } from '../../../widgets/use-log-times.ts';
import { WeatherFields } from '../../../widgets/WeatherFields.tsx';
import { getDeliveryStatus } from '../common/delivery-status.ts';

export function MonitorDialogs() {
  const { dialog, openDialog } = useApp((state) => state.monitors);
  if (dialog === null) return null;
  return (
    <FormDialog
      title={titleOf(dialog)}
      size={dialog.kind === 'import' || dialog.kind === 'bulk' ? '760px' : 'lg'}
      onClose={() => openDialog(null)}
    >
      {dialog.kind === 'create' && <CreateForm />}
      {dialog.kind === 'rain' && <RainForm monitor={dialog.monitor} />}
      {dialog.kind === 'import' && <ImportForm />}
      {dialog.kind === 'bulk' && <BulkForm action={dialog.action} monitors={dialog.monitors} />}
    </FormDialog>
  );
}

function titleOf(dialog: NonNullable<MonitorDialog>): string {
  switch (dialog.kind) {
    case 'create':
      return 'New monitor';
    case 'import':
      return 'Import monitors';
    case 'rain':
      return `Make it rain near ${dialog.monitor.name || dialog.monitor.id}`;
    case 'bulk':
      return bulkTitle(dialog.action, dialog.monitors.length);
  }
}

function CreateForm() {
  const { dialog, create, saving } = useApp((state) => state.monitors);
  const place = useShownPlace();
  const at = dialog?.kind === 'create' ? dialog.at : null;
  const [form, setForm] = useState(() => formFor(at ?? place));
  useUnsaved(form);
  const [problems, setProblems] = useState<FormProblems>({});
  const change = (part: Partial<MonitorForm>) => setForm({ ...form, ...part });
  const submit = () => {
    const read = readForm(form);
    setProblems(read.ok ? {} : read.problems);
    if (!read.ok) return;
    const { callback, ...rest } = read.value;
    void create({ ...rest, callback: callback ?? { kind: 'this-app' }, notes: form.notes });
  };
  return (
    <form className="rb-stack" onSubmit={submitBy(submit)} noValidate>
      <PlaceFields form={form} problems={problems} place={at ? null : place} onChange={change} />
      <CallbackFields
        description="This app’s receiver, with a separate path for this monitor"
        target={form.target}
        address={form.address}
        problem={problems.address}
        onTarget={(target) => change({ target })}
        onAddress={(address) => change({ address })}
      />
      <EventFields options={form.options ?? {}} onChange={(options) => change({ options })} />
      <FeatureParts name="new monitor" place={placeOf(form)} options={form.options ?? {}} />
      <NotesFields notes={form.notes} onChange={(notes) => change({ notes })} />
      <RequestNotice
        request={saving}
        failedTitle="Couldn’t create the monitor"
        loadingText="Creating the monitor"
        hasData
      />
      <FormButtons>
        <Button variant="filled" type="submit" loading={saving.state === 'loading'}>
          Create
        </Button>
      </FormButtons>
    </form>
  );
}

/** Null while the coordinates are not valid. */
function placeOf(form: MonitorForm): LatLng | null {
  const read = readForm({ ...form, target: 'this-app' });
  return read.ok ? read.value.geo : null;
}

/** The sandbox's clock moves through 12 hours at most. */
const longestPlayed = 240;

/** Which rain, on a monitor in its cool-down or with conditions: now, after the cool-down, or a whole episode. The sandbox's clock moves. */
function RainForm({ monitor }: { readonly monitor: AppMonitor }) {
  const { facts, rainNow, rainAfterCoolDown, playEpisode } = useApp((state) => state.monitors);
  const { nextAllowedAt } = getDeliveryStatus(monitor, facts, useNow(60_000));
  const times = useLogTimes();
  const rules = eventRulesOf(monitor.options ?? {});
  const [rain, setRain] = useState<Rain>(
    rules ? { kind: rules.types[0], mmPerHour: Math.max(2.4, rules.leastMmPerHour) } : {},
  );
  const clock = nextAllowedAt === null ? '' : `${times.clock(nextAllowedAt)} ${times.zoneName(nextAllowedAt)}`;
  return (
    <div className="rb-stack">
      {nextAllowedAt !== null && (
        <p>{`The monitor is in cool-down until ${clock} by the sandbox’s clock. Rain before then won’t cause a callback.`}</p>
      )}
      <WeatherFields weather={rain} onChange={setRain} />
      {rules && (
        <p className="rb-note">
          {`An episode moves the clock until ${rules.dryMinutes} dry minutes after the rain, so that all events are sent.`}
        </p>
      )}
      <FormButtons>
        <TaskButton
          {...(nextAllowedAt === null && !rules && { 'data-autofocus': true })}
          task={() => rainNow(monitor, rain)}
        >
          {nextAllowedAt === null ? 'Make it rain' : 'Make it rain now, without a callback'}
        </TaskButton>
        {nextAllowedAt !== null && !rules && (
          <TaskButton variant="filled" data-autofocus task={() => rainAfterCoolDown(monitor, nextAllowedAt, rain)}>
            {`Move the clock to ${clock} and make it rain`}
          </TaskButton>
        )}
        {rules && (
          <TaskButton
            variant="filled"
            data-autofocus
            disabled={(rain.minutes ?? 0) > longestPlayed}
            task={() => playEpisode(monitor, nextAllowedAt, rain)}
          >
            Play an episode
          </TaskButton>
        )}
      </FormButtons>
    </div>
  );
}
