// A refresh for less than was granted (RFC 6749 §6). What is broader the service refuses, and the token stays.
import { Button, Popover } from '@mantine/core';
import { useState } from 'react';
import type { TokenCard } from '#contract/procedures/session.ts';
import { useApp } from '#renderer/store/use-app.ts';
import classes from './AccessScreen.module.css';
import { ScopePicker, wordsOf } from './ScopePicker.tsx';

export function NarrowScope({ card, isBusy }: { readonly card: TokenCard; readonly isBusy: boolean }) {
  const refresh = useApp((state) => state.session.refresh);
  const [isOpen, setOpen] = useState(false);
  const [scope, setScope] = useState(card.scope ?? '');
  const run = (asked: string) => {
    setOpen(false);
    void refresh(card.owner, asked);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" width={320} trapFocus returnFocus>
      <Popover.Target>
        <Button size="xs" variant="default" disabled={isBusy} onClick={() => setOpen(!isOpen)}>
          Scope…
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Refresh with another scope">
        <div className={classes.signIn}>
          <ScopePicker
            label="Scope of the next tokens"
            description="Only less than was granted; the service refuses more."
            value={scope}
            granted={wordsOf(card.scope ?? '')}
            onChange={setScope}
          />
          <div className={classes.actions}>
            <Button size="xs" disabled={scope === ''} onClick={() => run(scope)}>
              Refresh with it
            </Button>
            <Button size="xs" variant="default" onClick={() => run('')}>
              All that was granted
            </Button>
          </div>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
