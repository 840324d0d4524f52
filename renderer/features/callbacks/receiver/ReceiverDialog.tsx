// Who can reach the receiver, over what and at which public URL, and the webhook secret. It listens only on this machine
// unless the user changes that here.
import { Button, PasswordInput, Switch, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { ReceiverAccess } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { LearnMore } from '../../../widgets/LearnMore.tsx';
import { CopyIcon } from '../../../ui/controls/CopyIcon.tsx';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import { saveFile } from '../../../ui/hooks/save-file.ts';
import { submitBy } from '../../../ui/hooks/submit-by.ts';
import { useLateFocus } from '../../../ui/hooks/use-late-focus.ts';
import { FeedForm } from './FeedForm.tsx';
import { FeatureParts } from '../../../widgets/FeatureParts.tsx';

export function ReceiverDialog({ onClose }: { readonly onClose: () => void }) {
  const { access, accessRequest, changing, load } = useApp((state) => state.receiver);
  const connectionChanges = useApp((state) => state.frame.connectionChanges);
  useEffect(() => void load(), [load]);
  return (
    <Dialog title="Receiver settings" size="lg" onClose={onClose}>
      <RequestNotice
        request={accessRequest}
        failedTitle="Couldn’t load the receiver settings"
        onRetry={() => void load()}
      />
      <RequestNotice request={changing} failedTitle="Couldn’t change the receiver" loadingText="Restarting receiver" />
      {access && <AccessForm access={access} />}
      <PublicForm />
      <FeedForm />
      <SecretForm key={connectionChanges} />
    </Dialog>
  );
}

function AccessForm({ access }: { readonly access: ReceiverAccess }) {
  const changeAccess = useApp((state) => state.receiver.changeAccess);
  const { tls, lan, lanUrls, authority } = access;
  const fields = useLateFocus();
  return (
    <div className="rb-stack" ref={fields}>
      <Switch
        data-autofocus
        label="HTTPS, with a generated certificate"
        description="Senders must trust this app’s CA certificate."
        checked={tls}
        onChange={(event) => void changeAccess({ tls: event.currentTarget.checked, lan })}
      />
      <FeatureParts name="receiver dialog" />
      {authority && (
        <div className="rb-box rb-column">
          <p className="rb-note">
            SHA-256 of the CA certificate: <span className="rb-mono rb-break">{authority.fingerprint}</span>
          </p>
          <div className="rb-buttons">
            <Button
              leftSection={<IconDownload />}
              onClick={() => saveFile('rainbell-receiver-ca.pem', 'application/x-pem-file', authority.pem)}
            >
              Save CA certificate
            </Button>
          </div>
        </div>
      )}
      <Switch
        label="Allow connections from the local network"
        description="Accepts only requests with the token in the path; others get 404. Turn this off when you’re done."
        checked={lan}
        onChange={(event) => void changeAccess({ tls, lan: event.currentTarget.checked })}
      />
      {lanUrls.length > 0 && (
        <ul className="rb-column rb-tight rb-short" aria-label="URLs for other computers">
          {lanUrls.map((url) => (
            <li key={url}>
              <code className="rb-mono">{url}</code> <CopyIcon text={url} label={`Copy ${url}`} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function PublicForm() {
  const saved = useApp((state) => state.settings.values.publicBase);
  const { publicRequest, changePublicBase } = useApp((state) => state.receiver);
  const baseUrl = useApp((state) => state.frame.status?.receiver.baseUrl);
  const [typed, setTyped] = useState('');
  const save = async () => {
    if (typed.trim() !== '' && (await changePublicBase(typed.trim()))) setTyped('');
  };
  return (
    <form className="rb-box rb-column" aria-label="Public URL" onSubmit={submitBy(save)}>
      <p className="rb-dim">
        {saved === null
          ? 'Services on the internet can’t reach this receiver.'
          : `New monitors on remote services use ${saved}. It led to this receiver when it was saved.`}{' '}
        <LearnMore to="receiver?at=receive-from-another-machine" about="public tunnels" />
      </p>
      <TextInput
        label="Public tunnel URL"
        description={
          baseUrl === undefined || baseUrl === null
            ? 'Open any tunnel to the receiver and enter the tunnel’s URL. Rainbell sends a test request to it.'
            : `Open any tunnel to ${baseUrl} and enter the tunnel’s URL. Rainbell sends a test request to it.`
        }
        placeholder="https://rain.example.net"
        inputMode="url"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <RequestNotice
        request={publicRequest}
        failedTitle="Couldn’t save the public URL"
        loadingText="Waiting for the test request"
      />
      <div className="rb-buttons">
        {saved !== null && (
          <Button variant="subtle" onClick={() => void changePublicBase(null)}>
            Remove URL
          </Button>
        )}
        <Button
          variant="filled"
          type="submit"
          disabled={typed.trim() === ''}
          loading={publicRequest.state === 'loading'}
        >
          Test and save
        </Button>
      </div>
    </form>
  );
}

const sources = {
  none: 'There is no secret, so signatures aren’t verified.',
  typed: 'Signatures are verified with the keys that you entered.',
  service: 'Signatures are verified with the sandbox’s secret.',
  published: 'Signatures are verified with the public key that the service publishes.',
} as const;

function SecretForm() {
  const { keySource, keysRequest, loadKeys, setKeys } = useApp((state) => state.callbackService);
  const [secret, setTyped] = useState('');
  useEffect(() => void loadKeys(), [loadKeys]);
  const save = async () => {
    if (secret.trim() !== '' && (await setKeys(secret.trim()))) setTyped('');
  };
  return (
    <form className="rb-box rb-column" aria-label="Webhook secret" onSubmit={submitBy(save)}>
      {keySource && <p className="rb-dim">{sources[keySource]}</p>}
      <PasswordInput
        label="Secret or public key (Standard Webhooks)"
        description="Separate multiple keys with spaces, for example during key rotation."
        placeholder="whsec_… or whpk_…"
        autoComplete="off"
        value={secret}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <RequestNotice request={keysRequest} failedTitle="Couldn’t save the keys" />
      <div className="rb-buttons">
        {keySource === 'typed' && (
          <Button variant="subtle" onClick={() => void setKeys(null)}>
            Delete keys
          </Button>
        )}
        <Button
          variant="filled"
          type="submit"
          disabled={secret.trim() === ''}
          loading={keysRequest.state === 'loading'}
        >
          Save keys
        </Button>
      </div>
    </form>
  );
}
