// The sandbox for the tests of the user's own code: its URL and credentials, and a command that works with them.
import { useState } from 'react';
import { useApp } from '../../store/use-app.ts';
import { Card } from '../../ui/controls/Card.tsx';
import { Term } from '../../ui/controls/FactRows.tsx';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { selectSandboxAccount } from '../access/selectors.ts';
import { CopyIcon } from '../../ui/controls/CopyIcon.tsx';
import classes from './SandboxScreen.module.css';

export function MockApi() {
  const baseUrl = useApp((state) => state.frame.status?.connection.baseUrl ?? '');
  const { lat, lng } = useApp((state) => state.settings.values.place);
  const loadAccount = useApp(selectSandboxAccount);
  const [shown, setShown] = useState<Awaited<ReturnType<typeof loadAccount>> | null>(null);
  const account = shown && 'account' in shown ? shown.account : null;
  return (
    <Card title="Use as a mock API" section="mock">
      <p className="rb-dim">
        Your own code can use the sandbox like the real service: same paths, tokens, and callbacks, with the weather and
        faults that you set here. In CI, <code className="rb-code">rainbell service --json</code> starts it without the
        app.
      </p>
      {account === null ? (
        <div className="rb-row">
          <TaskButton task={async () => setShown(await loadAccount())}>Show credentials</TaskButton>
          {shown && 'failure' in shown && <span role="alert">{shown.failure.message}</span>}
        </div>
      ) : (
        <>
          <dl className="rb-terms">
            {[
              ['Base URL', baseUrl],
              ['Client ID', account.clientId],
              ['Client secret', account.clientSecret],
            ].map(([name = '', value = '']) => (
              <Term key={name} name={name} className="rb-row rb-tight rb-mono">
                <span>{value}</span> <CopyIcon text={value} label={`Copy the ${name}`} />
              </Term>
            ))}
          </dl>
          <Command text={mockCommand({ baseUrl, ...account, lat, lng })} />
        </>
      )}
    </Card>
  );
}

function Command({ text }: { readonly text: string }) {
  return (
    <div className="rb-row">
      <pre className={`rb-code rb-fill ${classes.command}`}>{text}</pre>
      <CopyIcon text={text} label="Copy the command" />
    </div>
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
