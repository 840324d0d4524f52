// Sends an exchange again: a GET at once, what may change something only after asking.
import { ActionIcon } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import type { TrafficEntry } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';

export function ReplayButton({ entry: { id, kind, method, url, connectionName } }: { readonly entry: TrafficEntry }) {
  const { replay, replaying } = useApp((state) => state.traffic);
  const [isConfirming, setConfirming] = useState(false);
  // A token request holds secrets, which the log does not keep.
  if (kind === 'token') return null;
  const onConfirm = async () => {
    if (await replay(id)) setConfirming(false);
  };
  return (
    <>
      <ActionIcon
        variant="subtle"
        aria-label="Send again"
        title="Send again with the current token"
        loading={replaying.state === 'loading'}
        onClick={() => (method === 'GET' ? void replay(id) : setConfirming(true))}
      >
        <IconRepeat size={17} />
      </ActionIcon>
      <ConfirmDialog
        isOpen={isConfirming}
        title={`Send this ${method} again?`}
        confirmLabel="Send again"
        tone="plain"
        isBusy={replaying.state === 'loading'}
        onConfirm={() => void onConfirm()}
        onCancel={() => setConfirming(false)}
      >
        This may change data on {connectionName}.
        <p>
          {method}{' '}
          <span className="rb-mono rb-break">
            <ForeignText text={url} canShowMore />
          </span>
        </p>
        <RequestNotice request={replaying} failedTitle="Couldn’t send the request again" />
      </ConfirmDialog>
    </>
  );
}
