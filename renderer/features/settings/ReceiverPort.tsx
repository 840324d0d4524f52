// The port of the callback receiver. Saving moves the receiver at once.
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type SettingRow, settingsTable } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { submitBy } from '../../ui/hooks/submit-by.ts';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { SettingFrame } from './SettingFrame.tsx';

const { default: initial, min, max } = settingsTable.receiverPort;

export function ReceiverPort({ row: { title, meaning } }: { readonly row: SettingRow }) {
  const receiver = useApp((state) => state.frame.status?.receiver);
  const configured = useApp((state) => state.settings.values.receiverPort);
  const moveReceiver = useApp((state) => state.frame.moveReceiver);
  const moving = useApp((state) => state.frame.moving);
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? String(configured);
  const port = Number(text);
  const isPort = Number.isInteger(port) && port >= min && port <= max;
  const move = async (to: number) => {
    if (await moveReceiver(to)) setTyped(null);
  };
  const listening = receiver?.baseUrl ? Number(new URL(receiver.baseUrl).port) : undefined;
  const freePort = moving.state === 'failed' ? moving.failure.details.port : undefined;
  const state = receiver?.baseUrl ? `Listening on ${receiver.baseUrl}.` : 'Not listening.';
  return (
    <SettingFrame
      title={title}
      meaning={[state, receiver?.notice, meaning].filter(Boolean).join(' ')}
      defaultText={String(initial)}
      onReset={configured === initial ? undefined : () => void move(initial)}
    >
      <form className="rb-row" onSubmit={submitBy(() => isPort && move(port))}>
        <TextInput
          aria-label="Callback receiver port"
          inputMode="numeric"
          w={120}
          value={text}
          error={isPort ? null : `${min} to ${max}`}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button
          type="submit"
          disabled={!isPort || (port === configured && port === listening)}
          loading={moving.state === 'loading'}
        >
          Change port
        </Button>
      </form>
      <RequestNotice request={moving} failedTitle="Couldn’t change the port" loadingText="Changing the port" />
      {freePort !== undefined && (
        <Button variant="light" onClick={() => setTyped(String(freePort))}>
          Use {freePort}
        </Button>
      )}
    </SettingFrame>
  );
}
