// Says that the window lost the app, or the app its service, and when it tries again. The screens stay as they were.
import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import type { AppStatus } from '@rainbell/contract/app-rpc';
import { formatDuration } from '../../ui/text/durations.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import classes from './LinkNotice.module.css';

type OutdatedProps = { message: string; onReconnect: () => void };

/** The page no longer fits the app, or its access was ended. */
export function OutdatedPageNotice({ message, onReconnect }: Readonly<OutdatedProps>) {
  return (
    <div className={`rb-row rb-fixed ${classes.notice}`} data-tone="bad" role="alert">
      <IconPlugConnectedX size={18} aria-hidden />
      <span>{message}</span>
      <Button size="compact-sm" variant="default" onClick={onReconnect}>
        Try again
      </Button>
    </div>
  );
}

export function ConnectionNotice({ connection }: { readonly connection: AppStatus['connection'] }) {
  return (
    <div className={`rb-row rb-fixed ${classes.notice}`} data-tone="bad" role="alert">
      <IconPlugConnectedX size={18} aria-hidden />
      <span>{connection.problem?.message ?? `The service for “${connection.name}” isn’t responding.`}</span>
    </div>
  );
}

export function LostNotice({ retryAt, onReconnect }: { readonly retryAt: number; readonly onReconnect: () => void }) {
  const now = useNow(500);
  const wait = Math.max(0, retryAt - now);
  return (
    <div className={`rb-row rb-fixed ${classes.notice}`} data-tone="warn" role="alert">
      <IconPlugConnectedX size={18} aria-hidden />
      {wait < 500 ? (
        <span>
          Connection lost, reconnecting <span aria-hidden>now</span>. Data may be out of date.
        </span>
      ) : (
        <span>
          Connection lost, reconnecting <span aria-hidden>in {formatDuration(wait)}</span>. Data may be out of date.
        </span>
      )}
      <Button size="compact-sm" variant="default" onClick={onReconnect}>
        Reconnect now
      </Button>
    </div>
  );
}
