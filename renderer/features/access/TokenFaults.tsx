// What can go wrong with a token, on purpose, in the sandbox.
import { Button } from '@mantine/core';
import { TaskButton } from '#renderer/ui/controls/TaskButton.tsx';
import { IconFlask } from '@tabler/icons-react';
import { useId } from 'react';
import type { TokenFaultKind, TokenOwner } from '#contract/app-rpc/session.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { Panel } from '#renderer/ui/controls/Panel.tsx';
import { tokenFaultLabels } from './access-labels.ts';
import classes from './AccessScreen.module.css';

const kinds = Object.keys(tokenFaultLabels) as TokenFaultKind[];

export function TokenFaults({ owner, isBusy }: { readonly owner: TokenOwner; readonly isBusy: boolean }) {
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const simulateFault = useApp((state) => state.session.simulateFault);
  const id = useId();
  if (!isSandbox) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={isBusy}
        leftSection={<IconFlask size={15} />}
        aria-haspopup="dialog"
        popoverTarget={id}
      >
        Simulate error
      </Button>
      <Panel id={id} label="Simulate an error with this token" className={classes.tryOut}>
        {kinds.map((how) => (
          <TaskButton
            key={how}
            size="xs"
            variant="subtle"
            color="gray"
            justify="start"
            popoverTarget={id}
            popoverTargetAction="hide"
            task={() => simulateFault(owner, how)}
          >
            {tokenFaultLabels[how].label}
          </TaskButton>
        ))}
      </Panel>
    </>
  );
}
