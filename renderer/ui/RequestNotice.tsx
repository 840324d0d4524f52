// What a request is doing, for people: progress when it lasts over half a second; on failure what happened, what to do, Retry.
import { Button, Loader } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { Failure, Request } from '#renderer/store/request.ts';
import classes from './RequestNotice.module.css';

const slowAfterMs = 500;

/** Whether a request has been loading for longer than people take for "at once". */
export function useIsSlow(request: Request): boolean {
  const [slowSince, setSlowSince] = useState<number | null>(null);
  const since = request.state === 'loading' ? request.since : null;
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => setSlowSince(since), Math.max(0, since + slowAfterMs - Date.now()));
    return () => clearTimeout(timer);
  }, [since]);
  return since !== null && slowSince === since;
}

type Props = {
  request: Request;
  /** What was tried, for instance `The forecast could not be fetched`. */
  failedTitle: string;
  loadingWords?: string;
  onRetry?: () => void;
  /** Stands behind the message, for instance how old the data below is. */
  children?: ReactNode;
};

export function RequestNotice({ request, failedTitle, loadingWords, onRetry, children }: Readonly<Props>) {
  const isSlow = useIsSlow(request);
  if (isSlow && loadingWords !== undefined) {
    return (
      <div className={classes.loading} role="status">
        <Loader size={16} /> {loadingWords}
      </div>
    );
  }
  if (request.state !== 'failed') return null;
  const { failure } = request;
  return (
    <div className={classes.failed} role="alert">
      <IconAlertTriangle size={20} aria-hidden className={classes.mark} />
      <div className={classes.words}>
        <strong>{failedTitle}</strong>
        <p>{failure.message}</p>
        <p className={classes.advice}>
          {adviceFor(failure)} {children}
        </p>
      </div>
      {onRetry && (
        <Button variant="default" size="xs" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}

/** What the person can do next, by the kind of failure. */
function adviceFor({ code, details }: Failure): string {
  switch (code) {
    case 'LINK_LOST':
      return 'The window reconnects by itself.';
    case 'NETWORK':
      return 'Check that the service runs and that its address is right, then retry.';
    case 'SERVER':
      return 'The service has a fault of its own; retry in a minute.';
    case 'RATE_LIMITED':
      return details.retryAfterSeconds === undefined
        ? 'Too many requests; wait a little, then retry.'
        : `Too many requests; retry in ${details.retryAfterSeconds} s.`;
    case 'PROTOCOL':
      return 'The answer breaks the interface; show it to whoever runs the service.';
    case 'INVALID_CLIENT':
      return 'Check the client id and secret of this connection.';
    case 'INVALID_GRANT':
      return 'Sign in again.';
    case 'UNAUTHORIZED_CLIENT':
    case 'INVALID_SCOPE':
    case 'ACCESS_REFUSED':
      return 'Ask for a new token (the pill at the top right), or use another application.';
    case 'NOT_FOUND':
      return 'It may have been deleted elsewhere; refresh the list.';
    case 'PORT_TAKEN':
      return details.port === undefined ? 'Choose another port.' : `Port ${details.port} is free.`;
    case 'STORAGE':
      return 'Check the free space and the rights of the data folder.';
    case 'UNAVAILABLE':
      return 'Switch to a connection that offers it.';
    case 'INVALID_INPUT':
    case 'REFUSED':
      return 'Correct it and try again.';
    case 'INTERNAL':
      return 'Retry; if it stays, restart the app and look into its log.';
    default:
      return '';
  }
}
