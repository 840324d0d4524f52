// Says that the window lost the app, and when it tries again. The screens stay as they were.
import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useApp } from '#renderer/store/use-app.ts';
import { formatDuration } from '#renderer/ui/text/durations.ts';
import { useNow } from '#renderer/ui/hooks/use-now.ts';
import { DamageBanner } from './DamageBanner.tsx';
import classes from './LinkNotice.module.css';

export function LinkNotice({ onReconnect }: { readonly onReconnect: () => void }) {
  const link = useApp((state) => state.frame.link);
  const notices = useApp((state) => state.frame.status?.notices);
  const damage = useApp((state) => state.frame.status?.damage);
  const connection = useApp((state) => state.frame.status?.connection);
  return (
    <>
      {link.state === 'lost' && <LostNotice retryAt={link.retryAt} onReconnect={onReconnect} />}
      {link.state === 'failed' && (
        <div className={classes.notice} data-tone="bad" role="alert">
          <IconPlugConnectedX size={18} aria-hidden />
          <span>{link.message}</span>
          <Button size="compact-sm" variant="default" onClick={onReconnect}>
            Try again
          </Button>
        </div>
      )}
      {link.state === 'connected' && connection?.state === 'failed' && (
        <div className={classes.notice} data-tone="bad" role="alert">
          <IconPlugConnectedX size={18} aria-hidden />
          <span>{connection.problem?.message ?? `The service of “${connection.name}” does not answer.`}</span>
        </div>
      )}
      {damage?.map((report) => (
        <DamageBanner key={report.id} report={report} />
      ))}
      {notices?.map((notice) => (
        <div key={notice} className={classes.notice} role="status">
          <span>{notice}</span>
        </div>
      ))}
    </>
  );
}

function LostNotice({ retryAt, onReconnect }: { readonly retryAt: number; readonly onReconnect: () => void }) {
  const now = useNow(500);
  const wait = Math.max(0, retryAt - now);
  return (
    <div className={classes.notice} role="alert">
      <IconPlugConnectedX size={18} aria-hidden />
      <span>
        Connection lost, reconnecting <span aria-hidden>{wait < 500 ? 'now' : `in ${formatDuration(wait)}`}</span>. What
        you see is as it was.
      </span>
      <Button size="compact-sm" variant="default" onClick={onReconnect}>
        Reconnect now
      </Button>
    </div>
  );
}
