// A refresh for less than was granted (RFC 6749 §6). What is broader the service refuses, and the token stays.
import { Button } from '@mantine/core';
import { TaskButton } from '#renderer/ui/controls/TaskButton.tsx';
import { useId, useState } from 'react';
import type { TokenCard } from '#contract/app-rpc/session.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { Panel } from '#renderer/ui/controls/Panel.tsx';
import classes from './AccessScreen.module.css';
import { ScopePicker, splitScope } from './ScopePicker.tsx';

export function NarrowScope({ card, isBusy }: { readonly card: TokenCard; readonly isBusy: boolean }) {
  const refresh = useApp((state) => state.session.refresh);
  const id = useId();
  // A service that returns no scope granted what was requested (RFC 6749 §5.1).
  const granted = card.scope ?? card.requestedScope ?? '';
  const [scope, setScope] = useState(granted);
  const closing = { popoverTarget: id, popoverTargetAction: 'hide' } as const;
  return (
    <>
      <Button size="xs" variant="default" disabled={isBusy} aria-haspopup="dialog" popoverTarget={id}>
        Scope…
      </Button>
      <Panel id={id} label="Refresh with another scope" className={classes.narrow}>
        <div className={classes.signIn}>
          <ScopePicker
            label="Scope of new tokens"
            description="Choose a subset of the granted scopes."
            value={scope}
            granted={splitScope(granted)}
            onChange={setScope}
          />
          <div className={classes.actions}>
            <TaskButton {...closing} size="xs" disabled={scope === ''} task={() => refresh(card.owner, scope)}>
              Refresh with these scopes
            </TaskButton>
            <TaskButton {...closing} size="xs" variant="default" task={() => refresh(card.owner, '')}>
              All granted scopes
            </TaskButton>
          </div>
        </div>
      </Panel>
    </>
  );
}
