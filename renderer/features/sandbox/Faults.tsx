// "Weather fault": the sandbox misbehaves on purpose for some requests, so that a client can be tried against it.
import { SegmentedControl, TextInput } from '@mantine/core';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { IconBolt } from '@tabler/icons-react';
import { useState } from 'react';
import type { SandboxState, WeatherFault, WeatherFaultKind } from '@rainbell/contract/service-api';
import { useApp } from '../../store/use-app.ts';
import { plural } from '@rainbell/shared';
import { LearnMore } from '../../widgets/LearnMore.tsx';
import { Card } from '../../ui/controls/Card.tsx';
import { formatDuration } from '../../ui/text/durations.ts';
import { boundFields } from '../../ui/hooks/bound-fields.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import classes from './SandboxScreen.module.css';

const faults: readonly { value: WeatherFaultKind; label: string; description: string }[] = [
  {
    value: 'slow',
    label: 'Slow',
    description: 'Responds late. Does your client wait, and does it eventually time out?',
  },
  { value: 'error', label: '500', description: 'Responds with 500. Does your client retry later, not immediately?' },
  {
    value: 'rate_limited',
    label: '429',
    description: 'Responds with 429 and Retry-After. Does your client wait that long?',
  },
  {
    value: 'unauthorized',
    label: '401',
    description: 'Responds with 401. Does your client refresh its token only once, not in a loop?',
  },
  {
    value: 'malformed',
    label: 'Malformed',
    description: 'Responds with 200 and only half of the body. Does your client report the error and keep running?',
  },
];

/** Empty counts no requests; then the minutes end it. */
const maxRequests = 100_000;
const maxMinutes = 1440;
const maxSeconds = 120;

export function Faults({ state }: { readonly state: SandboxState }) {
  const { startWeatherFault, control } = useApp((all) => all.sandbox);
  const [kind, setKind] = useState<WeatherFaultKind>('slow');
  const [form, setForm] = useState({ requests: '10', minutes: '5', seconds: '5' });
  const { requests, minutes, seconds } = form;
  const isBusy = control.state === 'loading';
  const problems = {
    requests: requests.trim() === '' ? undefined : wholeProblem(requests, maxRequests),
    minutes: wholeProblem(minutes, maxMinutes),
    seconds: kind === 'slow' ? wholeProblem(seconds, maxSeconds) : undefined,
  };
  const { text } = boundFields(form, setForm, problems);
  const isGood = Object.values(problems).every((problem) => problem === undefined);
  const start = () =>
    startWeatherFault({
      kind,
      requests: requests.trim() === '' ? null : Number(requests),
      minutes: Number(minutes),
      ...(kind === 'slow' ? { delaySeconds: Number(seconds) } : {}),
    });
  return (
    <Card title="Weather fault" section="faults">
      <SegmentedControl
        aria-label="Fault"
        value={kind}
        onChange={setKind}
        data={faults.map(({ value, label }) => ({ value, label }))}
      />
      <p className="rb-dim">
        {faults.find(({ value }) => value === kind)?.description}{' '}
        <LearnMore to="sandbox?at=start-a-fault" about="weather faults" />
      </p>
      <div className="rb-row rb-wrap">
        <TextInput label="Requests" placeholder="any number" inputMode="numeric" w={110} {...text('requests')} />
        <TextInput label="Ends after (min)" inputMode="numeric" w={120} {...text('minutes')} />
        {kind === 'slow' && <TextInput label="Delay (s)" inputMode="numeric" w={110} {...text('seconds')} />}
        <TaskButton
          variant="filled"
          className={classes.atField ?? ''}
          leftSection={<IconBolt />}
          disabled={!isGood || isBusy}
          task={start}
        >
          {state.weatherFault ? 'Change fault' : 'Start fault'}
        </TaskButton>
      </div>
      <ActiveFault fault={state.weatherFault} aheadSeconds={state.clock.aheadSeconds} />
    </Card>
  );
}

type ActiveProps = { fault: WeatherFault | null; aheadSeconds: number };

function ActiveFault({ fault, aheadSeconds }: Readonly<ActiveProps>) {
  const { stopWeatherFault, control, load } = useApp((all) => all.sandbox);
  const now = useNow(1000) + aheadSeconds * 1000;
  const left = fault ? Date.parse(fault.endsAt) - now : 0;
  if (!fault || left <= 0) return <p className="rb-dim">No fault is active.</p>;
  const label = faults.find(({ value }) => value === fault.kind)?.label ?? fault.kind;
  return (
    <div className="rb-notice rb-wrap" data-tone="warn" role="status">
      <span>
        <strong>Fault active: {label}.</strong> {formatHits(fault)} {`Ends in ${formatDuration(left)}.`}
      </span>
      <TaskButton variant="subtle" task={() => load()}>
        Refresh
      </TaskButton>
      <TaskButton disabled={control.state === 'loading'} task={() => stopWeatherFault()}>
        Stop fault
      </TaskButton>
    </div>
  );
}

function formatHits({ requestsHit, requestsLeft }: WeatherFault): string {
  return requestsLeft === null
    ? plural(requestsHit, ['# request affected.', '# requests affected.'])
    : plural(requestsHit, ['# request affected, {left} left.', '# requests affected, {left} left.'], {
        left: requestsLeft,
      });
}

function wholeProblem(text: string, max: number): string | undefined {
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= max ? undefined : `1 to ${max}`;
}
