// Checks the user's own webhook handler: a form, the question whether to send, and the cases as they run.
import { Button, Loader, Menu, PasswordInput, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import {
  type CheckCaseId,
  checkCaseIds,
  checkCaseTitles,
  type CheckedCase,
  type CheckResult,
} from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import dialogClasses from '../common/Dialogs.module.css';
import { TaskButton } from '../../../ui/controls/TaskButton.tsx';
import { FormDialog } from '../../../ui/dialogs/FormDialog.tsx';
import { useLateFocus } from '../../../ui/hooks/use-late-focus.ts';
import { ForeignText } from '../../../ui/text/ForeignText.tsx';
import { plural } from '@rainbell/shared';
import { LearnMore } from '../../../widgets/LearnMore.tsx';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import type { CheckInput, PreparedCheck } from './endpoint-check-slice.ts';
import classes from './EndpointCheckDialog.module.css';

export function EndpointCheckDialog() {
  const { prepared, running, report, open, stop } = useApp((state) => state.endpointCheck);
  const [input, setInput] = useState<CheckInput>({ url: '', secret: null, monitorId: null });
  // Nothing is sent once no one looks.
  useEffect(() => () => stop(), [stop]);
  return (
    <FormDialog title="Check an endpoint" size="xl" onClose={() => open(false)}>
      {!prepared && <CheckForm input={input} onChange={setInput} />}
      {prepared && running.state === 'idle' && <ConfirmForm prepared={prepared} />}
      {prepared && running.state !== 'idle' && <Progress cases={report?.cases ?? []} prepared={prepared} />}
    </FormDialog>
  );
}

function CheckForm({
  input,
  onChange,
}: {
  readonly input: CheckInput;
  readonly onChange: (input: CheckInput) => void;
}) {
  const { prepare, preparing, open } = useApp((state) => state.endpointCheck);
  const { url, secret, monitorId } = input;
  const fields = useLateFocus<HTMLFormElement>();
  return (
    <form
      ref={fields}
      className={`rb-stack ${dialogClasses.form}`}
      onSubmit={(event) => {
        event.preventDefault();
        void prepare({ ...input, url: url.trim() });
      }}
    >
      <p className={`rb-dim ${dialogClasses.words}`}>
        Sends events for 12 test cases to your own webhook handler, signed the way the service signs them, and reports
        how the handler responds.{' '}
        <LearnMore to="callbacks?at=check-your-own-handler" about="the test cases" onFollow={() => open(false)} />
      </p>
      <TextInput
        label="Your handler’s URL"
        placeholder="http://127.0.0.1:3000/webhooks"
        inputMode="url"
        data-autofocus
        required
        withAsterisk={false}
        value={url}
        onChange={(event) => onChange({ ...input, url: event.currentTarget.value })}
      />
      <PasswordInput
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the secret' }}
        label="Webhook secret"
        description="Leave empty to use the connection’s secret. A secret that you enter isn’t sent or stored."
        placeholder="whsec_…"
        autoComplete="off"
        value={secret ?? ''}
        onChange={(event) => onChange({ ...input, secret: event.currentTarget.value.trim() || null })}
      />
      <TextInput
        label="Monitor ID in the events"
        description="Leave empty to generate one."
        placeholder="precipitation_12"
        maxLength={200}
        value={monitorId ?? ''}
        onChange={(event) => onChange({ ...input, monitorId: event.currentTarget.value.trim() || null })}
      />
      <RequestNotice request={preparing} failedTitle="This URL can’t be checked" />
      <div className="rb-buttons">
        <Button type="submit" disabled={url.trim() === ''} loading={preparing.state === 'loading'}>
          Continue…
        </Button>
      </div>
    </form>
  );
}

function ConfirmForm({ prepared }: { readonly prepared: PreparedCheck }) {
  const { run, edit } = useApp((state) => state.endpointCheck);
  const fields = useLateFocus();
  return (
    <div className={`rb-stack ${dialogClasses.form}`} ref={fields}>
      <p className={`rb-dim ${dialogClasses.words}`}>
        {plural(prepared.requests, [
          'Send # request to this URL? It contains a simulated event, which your handler will process.',
          'Send up to # requests to this URL? They contain simulated events, which your handler will process.',
        ])}
      </p>
      <p className="rb-mono rb-break">
        <ForeignText text={prepared.url} limit={2048} />
      </p>
      <p className={`rb-dim ${dialogClasses.words}`}>Check only your own handler.</p>
      <div className="rb-buttons">
        <Button variant="default" onClick={edit}>
          Back
        </Button>
        <TaskButton data-autofocus task={run}>
          {plural(prepared.requests, ['Send # request', 'Send # requests'])}
        </TaskButton>
      </div>
    </div>
  );
}

function Progress({ cases, prepared }: { readonly cases: readonly CheckedCase[]; readonly prepared: PreparedCheck }) {
  const { running, current, saving, edit, run, stop, save } = useApp((state) => state.endpointCheck);
  const isRunning = running.state === 'loading';
  const failed = cases.filter(({ result }) => result === 'failed').length;
  const fields = useLateFocus(isRunning);
  return (
    <div className={`rb-stack ${dialogClasses.form}`} ref={fields}>
      <p className={`rb-dim ${dialogClasses.words}`} role="status">
        {isRunning
          ? `Checking ${prepared.shownUrl}: ${cases.length} of ${checkCaseIds.length} cases done`
          : `Checked ${prepared.shownUrl}: ${cases.length - failed} passed, ${failed} failed`}
      </p>
      <ul className="rb-box rb-lines" aria-label="Cases">
        {checkCaseIds.map((id) => (
          <CaseRow key={id} id={id} checked={cases.find((one) => one.case === id)} isRunning={current === id} />
        ))}
      </ul>
      <RequestNotice request={running} failedTitle="The check ended early" />
      <RequestNotice request={saving} failedTitle="Couldn’t save the report" />
      <div className="rb-buttons">
        {isRunning ? (
          <Button variant="default" data-autofocus onClick={stop}>
            Stop
          </Button>
        ) : (
          <>
            <Button variant="default" onClick={edit}>
              Check another URL
            </Button>
            <TaskButton variant="default" task={run}>
              Check again
            </TaskButton>
            <Menu position="top-end" withinPortal={false}>
              <Menu.Target>
                <Button data-autofocus>Save report</Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => void save('junit')}>JUnit XML</Menu.Item>
                <Menu.Item onClick={() => void save('json')}>JSON</Menu.Item>
                <Menu.Item onClick={() => void save('text')}>Text</Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </>
        )}
      </div>
    </div>
  );
}

const labels: Readonly<Record<CheckResult, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  'not-visible': 'Not verifiable',
};

const resultTones = { passed: 'good', failed: 'bad', 'not-visible': 'plain' } as const;

type RowProps = { id: CheckCaseId; checked: CheckedCase | undefined; isRunning: boolean };

function CaseRow({ id, checked, isRunning }: Readonly<RowProps>) {
  const shown = checked?.findings.filter(({ result }) => result !== 'passed') ?? [];
  return (
    <li className={classes.case}>
      <span>{checkCaseTitles[id]}</span>
      {isRunning && <Loader size="xs" role="img" aria-label="Running" />}
      {!isRunning && !checked && <span className={`rb-note rb-break ${classes.detail}`}>Waiting</span>}
      {checked && (
        <span className="rb-small rb-strong rb-tone" data-tone={resultTones[checked.result]}>
          {labels[checked.result]}
        </span>
      )}
      {shown.map(({ what, result, detail }) => (
        <p key={what} className={`rb-note rb-break ${classes.detail}`} data-bad={result === 'failed' || undefined}>
          {result === 'failed' ? `Expected: ${what}.` : `${labels[result]}: ${what}.`}{' '}
          <ForeignText text={detail} limit={1000} />
        </p>
      ))}
    </li>
  );
}
