// The sandbox for the tests of the user's own code: its URL and credentials, and a command that works with them.
import { useApp } from '../../store/use-app.ts';
import { Card } from '../../ui/controls/Card.tsx';
import { CopyIcon } from '../../ui/controls/CopyIcon.tsx';
import { SandboxAccount } from '../access/SandboxAccount.tsx';
import classes from './SandboxScreen.module.css';

export function MockApi() {
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
        {(account) => <Command text={mockCommand({ baseUrl, ...account, lat, lng })} />}
      </SandboxAccount>
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
