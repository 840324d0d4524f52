// The ways to get a token: choose one, fill in what it needs, and start. A failed sign-in shows why.
import { selectActiveConnection } from '../connections/selectors.ts';
import { Button, PasswordInput, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { IconAlertTriangle, IconHandStop, IconLogin2 } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { SessionState, SignInInput, SignInMethod } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { Card } from '../../ui/controls/Card.tsx';
import { CopyIcon } from '../../ui/controls/CopyIcon.tsx';
import { showNew } from '../../ui/hooks/show-new.ts';
import { submitBy } from '../../ui/hooks/submit-by.ts';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { methodLabels, methodNames, outcomeTitles } from './access-labels.ts';
import classes from './AccessScreen.module.css';
import { SandboxAccount } from './SandboxAccount.tsx';
import { TrafficButton } from '../../widgets/TrafficButton.tsx';

export function SignIn({ session }: { readonly session: SessionState }) {
  const { signingIn, signIn, way: shownMethod, showMethod } = useApp((state) => state.session);
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  // The way stays the same while others become possible.
  const [firstMethod] = useState<SignInMethod>(
    () => session.ways.find(({ unavailableReason }) => unavailableReason === null)?.way ?? 'authorization_code',
  );
  const way = shownMethod ?? firstMethod;
  const unavailableReason = session.ways.find((one) => one.way === way)?.unavailableReason ?? null;
  const isBusy = signingIn?.request.state === 'loading';
  const start = (input: SignInInput) => void signIn(input);
  return (
    <Card title="Get a token" section="sign-in">
      <SegmentedControl
        aria-label="Grant type"
        value={way}
        onChange={showMethod}
        data={session.ways.map((one) => ({ value: one.way, label: methodNames[one.way] }))}
      />
      <p className="rb-dim">{methodLabels[way]}</p>
      {unavailableReason !== null && (
        <p className="rb-tone" data-tone="warn">
          Not available for this connection: {unavailableReason}
        </p>
      )}
      {unavailableReason === null && way === 'client_credentials' && (
        <Button variant="filled" loading={isBusy} onClick={() => start({ way })}>
          Get an application token
        </Button>
      )}
      {unavailableReason === null && way !== 'client_credentials' && isSandbox && (
        <SandboxAccount
          label="The sandbox’s account"
          buttonLabel="Show the sandbox’s account"
          rows={[
            ['Username', 'username'],
            ['Password', 'password'],
          ]}
        />
      )}
      {unavailableReason === null && way === 'password' && <PasswordSignIn isBusy={isBusy} onStart={start} />}
      {unavailableReason === null && (way === 'authorization_code' || way === 'implicit') && (
        <DialogSignIn key={way} way={way} windows={session.windows} isBusy={isBusy} onStart={start} />
      )}
      {session.open && <OpenDialog address={session.open.address} />}
      {signingIn && (
        <RequestNotice
          request={signingIn.request}
          failedTitle="Couldn’t start the sign-in"
          // The others wait for the user, and have a button of their own that ends them.
          {...(['client_credentials', 'password'].includes(signingIn.way) && {
            loadingText: 'Waiting for the service',
          })}
        />
      )}
      <SignInOutcome />
    </Card>
  );
}

type DialogProps = {
  way: 'authorization_code' | 'implicit';
  windows: SessionState['windows'];
  isBusy: boolean;
  onStart: (input: SignInInput) => void;
};

function DialogSignIn({ way, windows, isBusy, onStart }: Readonly<DialogProps>) {
  const [scope, setScope] = useState<string | null>(null);
  const configured = useApp((state) => selectActiveConnection(state)?.scope ?? '');
  const isSaved = useApp((state) => state.session.state?.browserSession?.isSaved ?? false);
  const [pkce, setPkce] = useState(true);
  const start = (window: 'app' | 'browser', fresh = false) => {
    const options = {
      ...(scope === null ? {} : { scope: scope.trim().replaceAll(/\s+/g, ' ') }),
      ...(fresh ? { fresh } : {}),
    };
    onStart(way === 'implicit' ? { way, window, ...options } : { way, window, pkce, ...options });
  };
  return (
    <form className={`rb-stack ${classes.signIn}`} onSubmit={submitBy(() => start(windows[0] ?? 'browser'))}>
      <TextInput
        label="Scope"
        description="Separate scopes with spaces"
        value={scope ?? configured}
        onChange={(event) => setScope(event.currentTarget.value)}
      />
      {way === 'authorization_code' && (
        <Switch label="Use PKCE (S256)" checked={pkce} onChange={(event) => setPkce(event.currentTarget.checked)} />
      )}
      <div className="rb-row rb-wrap">
        {windows.includes('app') && (
          <Button variant="filled" type="submit" loading={isBusy} leftSection={<IconLogin2 />}>
            Sign in
          </Button>
        )}
        {isSaved && (
          <Button type="button" disabled={isBusy} onClick={() => start('app', true)}>
            Sign in as someone else
          </Button>
        )}
        {windows.includes('browser') && (
          <Button
            type={windows.includes('app') ? 'button' : 'submit'}
            variant={windows.includes('app') ? 'default' : 'filled'}
            loading={isBusy}
            onClick={windows.includes('app') ? () => start('browser') : undefined}
          >
            Sign in with my browser
          </Button>
        )}
      </div>
      <BrowserSession />
    </form>
  );
}

/** The password is only in the field: submitting reads it and empties the field. */
function PasswordSignIn({ isBusy, onStart }: Readonly<Pick<DialogProps, 'isBusy' | 'onStart'>>) {
  const [username, setUsername] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('rainbell-password');
    if (!(field instanceof HTMLInputElement)) return;
    const password = field.value;
    if (username.trim() === '' || password === '') {
      setProblem('Enter both username and password.');
      return;
    }
    setProblem(null);
    field.value = '';
    onStart({ way: 'password', username: username.trim(), password });
  };
  return (
    <form className={`rb-stack ${classes.signIn}`} autoComplete="off" onSubmit={submit}>
      <div className="rb-pair">
        <TextInput
          label="Username or email address"
          autoComplete="off"
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordInput label="Password" name="rainbell-password" autoComplete="off" error={problem} />
      </div>
      <p className="rb-dim">Sent once with this request. Rainbell doesn’t store it.</p>
      <Button variant="filled" type="submit" loading={isBusy}>
        Sign in
      </Button>
    </form>
  );
}

function OpenDialog({ address }: { readonly address: string | null }) {
  const cancel = useApp((state) => state.session.cancelSignIn);
  return (
    <div className="rb-box rb-column rb-whole rb-chosen" role="status" ref={showNew}>
      <p>
        <strong>The sign-in page is open.</strong>{' '}
        {address === null ? 'Sign in there.' : 'If no page opened, open this URL in your browser:'}
      </p>
      {address !== null && (
        <p className="rb-row">
          <code className="rb-code rb-truncate" title={address}>
            {address}
          </code>{' '}
          <CopyIcon text={address} label="Copy the URL" />
          <Button component="a" className="rb-fixed" href={address} target="_blank" rel="noreferrer" variant="light">
            Open sign-in page
          </Button>
        </p>
      )}
      <div>
        <TaskButton task={() => cancel()}>Cancel the sign-in</TaskButton>
      </div>
    </div>
  );
}

/** What the sign-in window remembers of the user: a setting per connection, and a button to clear it now. */
function BrowserSession() {
  const { state, saveBrowserSession, clearBrowserSession } = useApp((all) => all.session);
  const isSaved = state?.browserSession?.isSaved ?? null;
  if (isSaved === null) {
    return (
      <p className="rb-dim">
        Your browser keeps its own session with the service. To sign in as someone else, sign out there first.
      </p>
    );
  }
  return (
    <div className="rb-row rb-wrap">
      <Switch
        label="The sign-in window stays signed in to the service"
        description={
          isSaved
            ? 'Its cookies and site data are kept on this computer, for this connection only.'
            : 'Its cookies and site data are deleted when it closes.'
        }
        checked={isSaved}
        onChange={(event) => void saveBrowserSession(event.currentTarget.checked)}
      />
      {isSaved && (
        <TaskButton type="button" task={() => clearBrowserSession()}>
          Delete browser session
        </TaskButton>
      )}
    </div>
  );
}

/** How the last sign-in ended, if it failed. The log below shows each step. */
function SignInOutcome() {
  const { result, dismissResult: dismiss } = useApp((state) => state.session);
  if (!result || result.outcome === 'approved') return null;
  const isChoice = result.outcome === 'denied' || result.outcome === 'closed';
  return (
    <div className="rb-box rb-column rb-whole" role="alert" ref={showNew} key={result.flowId}>
      <div className="rb-row rb-tone" data-tone={isChoice ? 'warn' : 'bad'}>
        {isChoice ? <IconHandStop size={19} aria-hidden /> : <IconAlertTriangle size={19} aria-hidden />}
        <h3>{outcomeTitles[result.outcome]}</h3>
        <span className="rb-fill" />
        {'problem' in result && <TrafficButton id={result.problem?.details.trafficId} />}
        <Button size="compact-xs" variant="subtle" onClick={dismiss}>
          Dismiss
        </Button>
      </div>
      <p>{result.message}</p>
      {result.outcome === 'refused' && result.error !== null && (
        <p>
          Message from the service: <code className="rb-mono">{result.error}</code>
          {result.description !== null && ` – ${result.description}`}
        </p>
      )}
    </div>
  );
}
