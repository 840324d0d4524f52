// The way from an error to the request behind it.
import { openExchange } from '../features/traffic/selectors.ts';
import { Button } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useAppStore } from '../store/use-app.ts';

type Props = {
  /** ID in the traffic log; undefined if no request was sent, and then nothing is shown. */
  id: number | undefined;
  isLarge?: boolean;
  /** What the error is about, for a list with several such buttons. */
  about?: string;
};

export function TrafficButton({ id, isLarge, about }: Readonly<Props>) {
  const store = useAppStore();
  if (id === undefined) return null;
  const open = () => openExchange(store.getState(), id);
  return (
    <Button
      leftSection={<IconArrowsExchange />}
      {...(!isLarge && { size: 'compact-xs' })}
      {...(about !== undefined && { 'aria-label': `Open in Traffic: ${about}` })}
      onClick={open}
    >
      Open in Traffic
    </Button>
  );
}
