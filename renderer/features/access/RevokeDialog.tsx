// Revokes a token: confirms first, and prompts for the URL if the service doesn't announce where it revokes tokens.
import { selectActiveConnection } from '../connections/selectors.ts';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { TokenOwner } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import classes from './AccessScreen.module.css';

type Props = { owner: TokenOwner; onClose: () => void };

const titles: Readonly<Record<TokenOwner, { question: string; task: string }>> = {
  application: { question: 'Revoke the application token?', task: 'Revoke the application token' },
  user: { question: 'Revoke the user token?', task: 'Revoke the user token' },
};

export function RevokeDialog({ owner, onClose }: Readonly<Props>) {
  const { revoke, deleteToken } = useApp((state) => state.session);
  const connection = useApp(selectActiveConnection);
  const [isUrlNeeded, setUrlNeeded] = useState(false);
  const [url, setUrl] = useState(`${connection?.baseUrl ?? ''}/revoke/`);
  const run = async (endpoint?: string) => {
    const isNeeded = await revoke(owner, endpoint);
    if (isNeeded) setUrlNeeded(true);
    else onClose();
  };
  if (!isUrlNeeded) {
    return (
      <ConfirmDialog
        isOpen
        title={titles[owner].question}
        confirmLabel="Revoke"
        onConfirm={() => void run()}
        onCancel={onClose}
      >
        Revokes the token and deletes it here. Other clients that use it lose access.
      </ConfirmDialog>
    );
  }
  return (
    <Dialog title={titles[owner].task} onClose={onClose} isCentered>
      <TextInput
        label="Revocation URL"
        description="Not in the service’s metadata. Look for it in the service’s documentation."
        value={url}
        spellCheck={false}
        data-autofocus
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <div className={`rb-row rb-wrap ${classes.actions}`}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <TaskButton variant="default" task={() => deleteToken(owner).then(onClose)}>
          Delete here only
        </TaskButton>
        <TaskButton disabled={URL.parse(url.trim()) === null} task={() => run(url.trim())}>
          Revoke
        </TaskButton>
      </div>
    </Dialog>
  );
}
