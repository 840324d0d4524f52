// The way from an error to the request behind it.
import { Button } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useApp } from '../store/use-app.ts';

type Props = {
  /** ID in the traffic log; undefined if no request was sent, and then nothing is shown. */
  id: number | undefined;
  size?: 'compact-xs' | 'compact-sm';
  /** What the error is about, for a list with several such buttons. */
  about?: string;
};

export function TrafficButton({ id, size, about }: Readonly<Props>) {
  const goTo = useApp((state) => state.frame.goTo);
  const select = useApp((state) => state.traffic.select);
  if (id === undefined) return null;
  const open = () => {
    goTo('traffic');
    void select(id);
  };
  return (
    <Button
      variant="default"
      leftSection={<IconArrowsExchange size={14} />}
      {...(size && { size })}
      {...(about !== undefined && { 'aria-label': `Open in Traffic: ${about}` })}
      onClick={open}
    >
      Open in Traffic
    </Button>
  );
}
