// The person's choices, how secrets are kept, and whose data is used.
import { Anchor, Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Settings } from '#contract/app-rpc/settings.ts';
import type { settingsSections } from '#renderer/store/sections.ts';
import { CopyLink } from '#renderer/widgets/CopyLink.tsx';
import { useOpenSection } from '#renderer/widgets/use-open-section.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { attributions } from '#shared/attributions.ts';
import { RequestNotice } from '#renderer/widgets/RequestNotice.tsx';
import { SegmentedControl } from '#renderer/ui/controls/SegmentedControl.tsx';
import { NotificationChoice } from './NotificationChoice.tsx';
import { Desktop } from './Desktop.tsx';
import { Diagnostics } from './Diagnostics.tsx';
import { KeptLimitsForm } from './KeptLimitsForm.tsx';
import classes from './SettingsScreen.module.css';
import { Updates } from './Updates.tsx';

const themes: readonly { value: Settings['theme']; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

const zones: readonly { value: Settings['zone']; label: string }[] = [
  { value: 'place', label: 'The place’s' },
  { value: 'mine', label: 'Mine' },
  { value: 'utc', label: 'UTC' },
];

export function SettingsScreen() {
  const { values, request, load, update } = useApp((state) => state.settings);
  const status = useApp((state) => state.frame.status);
  useOpenSection('settings');
  return (
    <div className={classes.screen}>
      <h1>
        Settings <CopyLink />
      </h1>
      <RequestNotice request={request} failedTitle="The settings could not be read" onRetry={() => void load()} />
      <Section title="Look" section="look">
        <Row name="Theme" words="System follows the machine.">
          <SegmentedControl
            aria-label="Theme"
            data={themes}
            value={values.theme}
            onChange={(theme) => void update({ theme })}
          />
        </Row>
        <Row
          name="Times"
          words={`In which zone times are shown. Yours is ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`}
        >
          <SegmentedControl
            aria-label="Times"
            data={zones}
            value={values.zone}
            onChange={(zone) => void update({ zone })}
          />
        </Row>
      </Section>
      <Section title="Callback receiver" section="receiver">
        <ReceiverPort />
        <KeptLimitsForm />
        <NotificationChoice />
      </Section>
      {status?.desktop && (
        <Section title="Desktop" section="desktop">
          <Desktop state={status.desktop} />
        </Section>
      )}
      <Section title="Secrets" section="secrets">
        <p className={classes.words}>{status?.secretsProtection ?? 'The app has not told yet how it keeps secrets.'}</p>
      </Section>
      <Section title="Updates" section="updates">
        <Updates />
      </Section>
      <Section title="Diagnostics" section="diagnostics">
        <Diagnostics />
      </Section>
      <Section title="Whose data this is" section="sources">
        <ul className={classes.sources}>
          {attributions.map(({ name, words, url, licence }) => (
            <li key={name}>
              <Anchor href={url} target="_blank" rel="noreferrer">
                {words}
              </Anchor>
              <span>{licence}</span>
            </li>
          ))}
        </ul>
      </Section>
      <p className={classes.version}>
        Rainbell {status?.version ?? ''} ·{' '}
        {status?.host === 'electron' ? 'desktop window' : 'headless host, shown in a browser'} · MIT licence
      </p>
    </div>
  );
}

type SectionProps = { title: string; section: (typeof settingsSections)[number]; children: ReactNode };

function Section({ title, section, children }: Readonly<SectionProps>) {
  return (
    <section className={`rb-card ${classes.section}`} aria-label={title} data-section={section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Row({
  name,
  words,
  children,
}: {
  readonly name: string;
  readonly words: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={classes.row}>
      <div>
        <strong>{name}</strong>
        <p className={classes.words}>{words}</p>
      </div>
      {children}
    </div>
  );
}

function ReceiverPort() {
  const receiver = useApp((state) => state.frame.status?.receiver);
  const configured = useApp((state) => state.settings.values.receiverPort);
  const moveReceiver = useApp((state) => state.frame.moveReceiver);
  const loadSettings = useApp((state) => state.settings.load);
  const moving = useApp((state) => state.frame.moving);
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? String(configured);
  const port = Number(text);
  const isPort = Number.isInteger(port) && port >= 1024 && port <= 65_535;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPort && (await moveReceiver(port))) {
      setTyped(null);
      await loadSettings();
    }
  };
  const freePort = moving.state === 'failed' ? moving.failure.details.port : undefined;
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)}>
      <div className={classes.row}>
        <div>
          <strong>Port</strong>
          <p className={classes.words}>
            {receiver?.baseUrl ? `Listens on ${receiver.baseUrl}.` : 'Does not listen.'} {receiver?.notice} Monitors to
            this app keep the address they were made with.
          </p>
        </div>
        <div className={classes.port}>
          <TextInput
            aria-label="Port of the callback receiver"
            inputMode="numeric"
            w={110}
            value={text}
            error={isPort ? null : '1024 to 65535'}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={!isPort} loading={moving.state === 'loading'}>
            Move
          </Button>
        </div>
      </div>
      <RequestNotice request={moving} failedTitle="The receiver stayed where it was" />
      {freePort !== undefined && (
        <Button variant="light" onClick={() => setTyped(String(freePort))}>
          Take {freePort}
        </Button>
      )}
    </form>
  );
}
