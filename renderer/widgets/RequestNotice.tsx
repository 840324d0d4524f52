// What a request is doing, for people: progress when it lasts over half a second; on failure what happened, what to do, Retry.
import { Button, Loader } from '@mantine/core';
import { IconAlertTriangle, IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useIsSlow } from '#renderer/ui/hooks/use-is-slow.ts';
import type { Failure, Request } from '#renderer/store/request.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { ForeignText } from '#renderer/ui/text/ForeignText.tsx';
import classes from './RequestNotice.module.css';

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
        <p>
          <ForeignText text={failure.message} canShowMore />
        </p>
        <p className={classes.advice}>
          {adviceFor(failure)} {children}
        </p>
      </div>
      {failure.code === 'ACCESS_REFUSED' && !failure.details.needs && <AccessButton />}
      {failure.details.needs && <AccessErrorAction needs={failure.details.needs} onRetry={onRetry} />}
      {onRetry && (
        <Button variant="default" size="xs" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}

/** The tokens, their scopes and how to renew them. */
function AccessButton() {
  const goTo = useApp((state) => state.frame.goTo);
  return (
    <Button variant="default" size="xs" onClick={() => goTo('access')}>
      Open Access
    </Button>
  );
}

/** What the message itself cannot say: core writes what was wrong and what to do, these know more. */
function adviceFor({ code, details }: Failure): string {
  if (code === 'LINK_LOST') return 'The window reconnects by itself.';
  if (code === 'INTERNAL') return 'If it stays, restart the app and look into its log.';
  return code === 'PORT_TAKEN' && details.port !== undefined ? `Port ${details.port} is free.` : '';
}

type AccessErrorProps = { needs: 'client_credentials' | 'sign_in'; onRetry?: (() => void) | undefined };

/**
 * What a person can do at once about a refusal: take the application's token for monitors (docs/interface.md §5.7),
 * change a public client, which cannot get one, or sign in.
 */
function AccessErrorAction({ needs, onRetry }: Readonly<AccessErrorProps>) {
  const signIn = useApp((state) => state.session.signIn);
  const isBusy = useApp((state) => state.session.signingIn?.request.state === 'loading');
  const goTo = useApp((state) => state.frame.goTo);
  const openEditor = useApp((state) => state.connections.openEditor);
  const connection = useApp(({ connections: { items, selectedId } }) => items.find(({ id }) => id === selectedId));
  const takeToken = async () => {
    if (await signIn({ way: 'client_credentials' })) onRetry?.();
    else goTo('access');
  };
  if (needs === 'sign_in') {
    return (
      <Button size="xs" leftSection={<IconKey size={15} />} onClick={() => goTo('access')}>
        Sign in…
      </Button>
    );
  }
  if (connection?.isPublic) {
    return (
      <Button size="xs" leftSection={<IconKey size={15} />} onClick={() => openEditor({ kind: 'edit', connection })}>
        Edit the connection…
      </Button>
    );
  }
  return (
    <Button size="xs" loading={isBusy} leftSection={<IconKey size={15} />} onClick={() => void takeToken()}>
      Get an application token
    </Button>
  );
}
