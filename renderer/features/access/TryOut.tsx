// What can go wrong with a token, on purpose, in the sandbox.
import { Button, Popover } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useState } from 'react';
import type { SpoilKind, TokenOwner } from '#contract/procedures/session.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { spoilWords } from './access-words.ts';
import classes from './AccessScreen.module.css';

const kinds = Object.keys(spoilWords) as SpoilKind[];

export function TryOut({ owner, isBusy }: { readonly owner: TokenOwner; readonly isBusy: boolean }) {
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const spoil = useApp((state) => state.session.spoil);
  const [isOpen, setOpen] = useState(false);
  if (!isSandbox) return null;
  const run = (how: SpoilKind) => {
    setOpen(false);
    void spoil(owner, how);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          disabled={isBusy}
          leftSection={<IconFlask size={15} />}
          onClick={() => setOpen(!isOpen)}
        >
          Try out
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.tryOut ?? ''} aria-label="Try out with this token">
        {kinds.map((how) => (
          <Button key={how} size="xs" variant="subtle" color="gray" justify="start" onClick={() => run(how)}>
            {spoilWords[how].label}
          </Button>
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}
