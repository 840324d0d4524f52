// The sandbox's controls: the service's clock, the weather applied to the forecast, where the weather comes from.
import { SegmentedControl, TextInput } from '@mantine/core';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { type ProviderChoice, providerChoices, type SandboxState } from '@rainbell/contract/service-api';
import { useOpenSection } from '../../widgets/use-open-section.ts';
import { useApp } from '../../store/use-app.ts';
import { LearnMore } from '../../widgets/LearnMore.tsx';
import { Card } from '../../ui/controls/Card.tsx';
import { CardScreen } from '../../ui/controls/CardScreen.tsx';
import { CopyIcon } from '../../ui/controls/CopyIcon.tsx';
import { formatDuration, formatRelativeTime } from '../../ui/text/durations.ts';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { useNow } from '../../ui/hooks/use-now.ts';
import { parseMinute } from '../../ui/text/typed-minute.ts';
import { useTimes } from '../../widgets/use-units.ts';
import { Faults } from './Faults.tsx';
import { SandboxAccount } from '../access/SandboxAccount.tsx';
import { Scenarios } from './Scenarios.tsx';
import { providerLabel } from './sandbox-slice.ts';
import classes from './SandboxScreen.module.css';

export function SandboxScreen() {
  const { state, request, load } = useApp((all) => all.sandbox);
  useEffect(() => void load(), [load]);
  useOpenSection('sandbox');
  return (
    <CardScreen
      title="Sandbox"
      intro={
        <>
          Control the built-in service: clock, weather at a location, faults, and data provider.{' '}
          <LearnMore to="sandbox" about="the sandbox" />
        </>
      }
      actions={
        <TaskButton leftSection={<IconRefresh />} task={() => load()}>
          Refresh
        </TaskButton>
      }
    >
      <RequestNotice
        request={request}
        failedTitle="Couldn’t load the sandbox"
        loadingText="Loading sandbox"
        hasData={state !== null}
        onRetry={() => void load()}
      />
      {state && (
        <div className={classes.cards}>
          <Scenarios state={state} />
          <Faults state={state} />
          <MockApi />
          <ClockCard state={state} />
          <ProviderCard state={state} />
        </div>
      )}
    </CardScreen>
  );
}

/** The sandbox for the tests of the user's own code: its URL and credentials, and a command that works with them. */
function MockApi() {
  const baseUrl = useApp((state) => state.frame.status?.connection.baseUrl ?? '');
  const { lat, lng } = useApp((state) => state.settings.values.place);
  return (
    <Card title="Use as a mock API" section="mock">
      <p className="rb-dim">
        Your own code can use the sandbox like the real service: same paths, tokens, and callbacks, with the weather and
        faults that you set here. In CI, <code className="rb-code rb-truncate">rainbell service --json</code> starts it
        without the app.
      </p>
      <p className="rb-row rb-mono">
        {baseUrl} <CopyIcon text={baseUrl} label="Copy the base URL" />
      </p>
      <SandboxAccount
        label="The sandbox’s credentials"
        buttonLabel="Show credentials"
        rows={[
          ['Client ID', 'clientId'],
          ['Client secret', 'clientSecret'],
        ]}
      >
        {(account) => {
          const text = mockCommand({ baseUrl, ...account, lat, lng });
          return (
            <div className="rb-row">
              <pre className={`rb-code rb-fill ${classes.command}`}>{text}</pre>
              <CopyIcon text={text} label="Copy the command" />
            </div>
          );
        }}
      </SandboxAccount>
    </Card>
  );
}

type MockOptions = { baseUrl: string; clientId: string; clientSecret: string; lat: number; lng: number };

/** Gets a token and a forecast; needs nothing but a shell and curl. */
function mockCommand({ baseUrl, clientId, clientSecret, lat, lng }: MockOptions): string {
  return [
    `TOKEN=$(curl -s -u '${clientId}:${clientSecret}' -d grant_type=client_credentials ${baseUrl}/token/ |`,
    `  sed 's/.*"access_token": *"//; s/".*//')`,
    `curl -H "Authorization: Bearer $TOKEN" '${baseUrl}/v2/weather/?location_lat=${lat}&location_lng=${lng}'`,
  ].join('\n');
}

function ClockCard({ state }: { readonly state: SandboxState }) {
  const { moveClock, control } = useApp((all) => all.sandbox);
  const isBusy = control.state === 'loading';
  const [wanted, setWanted] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { aheadSeconds } = state.clock;
  const now = useNow(1000) + aheadSeconds * 1000;
  const times = useTimes('UTC');
  const hour = 3600;
  const set = async () => {
    const at = parseMinute(wanted, 'Z');
    setProblem(Number.isNaN(at) ? 'Enter a date and a time in UTC, for instance 2026-11-29 14:00.' : null);
    if (!Number.isNaN(at)) await moveClock({ kind: 'set', instant: new Date(at).toISOString() });
  };
  return (
    <Card title="Clock" section="clock">
      <p className="rb-figure">
        {times.clockSeconds(now)} <span>{times.longDay(now)} · UTC</span>
      </p>
      <p className="rb-dim">{formatAhead(aheadSeconds)}</p>
      <div className="rb-row rb-wrap">
        <TaskButton variant="light" disabled={isBusy} task={() => moveClock({ kind: 'advance', seconds: hour })}>
          1 h ahead
        </TaskButton>
        <TaskButton variant="light" disabled={isBusy} task={() => moveClock({ kind: 'advance', seconds: 24 * hour })}>
          1 day ahead
        </TaskButton>
        <TaskButton disabled={isBusy || Math.abs(aheadSeconds) < 1} task={() => moveClock({ kind: 'reset' })}>
          Reset to this computer’s time
        </TaskButton>
      </div>
      <div className="rb-row rb-wrap">
        <TextInput
          label="Set to (UTC)"
          placeholder="2026-11-29 14:00"
          value={wanted}
          error={problem}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
        <TaskButton className={classes.atField ?? ''} disabled={isBusy || wanted === ''} task={set}>
          Set
        </TaskButton>
      </div>
    </Card>
  );
}

function formatAhead(aheadSeconds: number): string {
  if (Math.abs(aheadSeconds) < 1) return 'The sandbox’s clock is the same as this computer’s.';
  const distance = formatDuration(aheadSeconds * 1000);
  return aheadSeconds > 0
    ? `The sandbox’s clock is ${distance} ahead of this computer’s. A cool-down lasts one hour by the sandbox’s clock.`
    : `The sandbox’s clock is ${distance} behind this computer’s. A cool-down lasts one hour by the sandbox’s clock.`;
}

function describeChoice(choice: ProviderChoice): string {
  if (choice === 'simulation') return 'Simulated weather that follows the sun and the season. Works offline.';
  if (choice !== 'auto') return `Only ${providerLabel(choice)}; an error if it can’t be reached.`;
  return 'The first live provider that responds, otherwise the simulation, for which monitors don’t fire.';
}

function ProviderCard({ state }: { readonly state: SandboxState }) {
  const choose = useApp((all) => all.sandbox.chooseProvider);
  const { choice, lastAnswered, lastErrors } = state.provider;
  return (
    <Card title="Weather provider" section="provider">
      <SegmentedControl
        aria-label="Provider"
        value={choice}
        onChange={(value) => void choose(value)}
        data={providerChoices.map((value) => ({ value, label: providerLabel(value) }))}
      />
      <p className="rb-dim">{describeChoice(choice)}</p>
      <p>
        Last used: <strong>{lastAnswered === null ? 'none yet' : providerLabel(lastAnswered)}</strong>
      </p>
      {lastErrors.length > 0 && <LastErrors errors={lastErrors} aheadMs={state.clock.aheadSeconds * 1000} />}
    </Card>
  );
}

type LastErrorsProps = { readonly errors: SandboxState['provider']['lastErrors']; readonly aheadMs: number };

/** Equal ones are one, at its last time. */
function LastErrors({ errors, aheadMs }: LastErrorsProps) {
  const now = useNow(10_000) + aheadMs;
  const last = new Map(
    errors
      .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
      .map((one) => [`${one.provider} ${one.message}`, one]),
  );
  return (
    <>
      <h3>Recent errors</h3>
      <ul className="rb-lines rb-break rb-whole">
        {[...last].toReversed().map(([key, { provider, at, message }]) => (
          <li key={key}>
            <strong>{providerLabel(provider)}</strong>{' '}
            <span className="rb-dim">{formatRelativeTime(Date.parse(at), now)}</span>
            <div>{message}</div>
          </li>
        ))}
      </ul>
    </>
  );
}
