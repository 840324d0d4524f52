// Buttons that start work: busy while it lasts, and not started twice.
import { ActionIcon, type ActionIconProps, Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';
import { useTask } from '../hooks/use-task.ts';

type Props<Look> = Look &
  Omit<ComponentPropsWithoutRef<'button'>, keyof Look | 'onClick'> & {
    /** What a press starts. It reports its own failures. */
    task: () => Promise<unknown>;
  };

export function TaskButton({ task, loading = false, ...props }: Readonly<Props<ButtonProps>>) {
  const { isBusy, run } = useTask(task);
  return <Button {...props} loading={loading || isBusy} onClick={run} />;
}

export function TaskIcon({ task, loading = false, ...props }: Readonly<Props<ActionIconProps>>) {
  const { isBusy, run } = useTask(task);
  return <ActionIcon {...props} loading={loading || isBusy} onClick={run} />;
}
