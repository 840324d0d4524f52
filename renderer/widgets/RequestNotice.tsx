// What a request is doing, the same on every screen: nothing for a moment, then the outline of what loads, then words with the
// seconds; a line on top of older data; on failure the cause, the time of the next try, and what to do.
import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconArrowsExchange, IconKey, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { EmptyState } from '#renderer/ui/controls/EmptyState.tsx';
import { useNow } from '#renderer/ui/hooks/use-now.ts';
import { formatDuration } from '#renderer/ui/text/durations.ts';
import { ForeignText } from '#renderer/ui/text/ForeignText.tsx';
import type { Failure, Request } from '#renderer/store/request.ts';
import { useApp } from '#renderer/store/use-app.ts';
import classes from './RequestNotice.module.css';

type Props = {
  request: Request;
  /** What was tried, for instance `Couldn't fetch the forecast`. */
  failedTitle: string;
  /** Said when it lasts over a second, for instance `Fetching Turin from Staging`. */
  loadingText?: string;
  /** The shape of what loads, in its final size; shown only if `hasData` is false. */
  outline?: ReactNode;
  /** Whether older data stays on screen. Without it a failure takes the screen's place, not a line of it. */
  hasData?: boolean;
  onRetry?: () => void;
  /** When the app tries again without the user, epoch milliseconds. */
  retryAt?: number | undefined;
  /** Comes first in a failure, for instance the time of the data below. */
  children?: ReactNode;
};

/** A load within this is at once for people; after `wordsAfterMs` they want to know what lasts. */
const outlineAfterMs = 150;
const wordsAfterMs = 1000;

export function RequestNotice(props: Readonly<Props>) {
  const { request } = props;
  if (request.state === 'loading') return <Loading key={request.since} {...props} request={request} />;
  if (request.state === 'failed') return <Failed {...props} failure={request.failure} at={request.at} />;
  return null;
}

type LoadingProps = Omit<Props, 'request'> & { request: Extract<Request, { state: 'loading' }> };

function Loading({ request, loadingText, outline, hasData }: Readonly<LoadingProps>) {
  const spent = useElapsed(request.since);
  if (spent < outlineAfterMs || loadingText === undefined) return null;
  const words = spent >= wordsAfterMs && (
    <p className={classes.words} role="status">
      {loadingText}, <span className="rb-numbers">{(spent / 1000).toFixed(1)} s</span>
      {request.cancel && (
        <button type="button" className={classes.cancel} onClick={request.cancel}>
          Cancel
        </button>
      )}
    </p>
  );
  return (
    <>
      {hasData === true && <span className={classes.line} aria-hidden />}
      {words}
      {hasData !== true && outline !== undefined && (
        <div className={classes.outline} aria-hidden data-outline>
          {outline}
        </div>
      )}
    </>
  );
}

/** The outline of rows, for lists and cards. */
export function ListOutline({ rows = 8 }: { readonly rows?: number }) {
  return Array.from({ length: rows }, (_, index) => <Skeleton key={index} height={30} radius="sm" />);
}

/** Milliseconds since that instant, as often as what is shown changes. */
function useElapsed(since: number): number {
  const [now, setNow] = useState(() => Date.now());
  const spent = now - since;
  useEffect(() => {
    const next = spent < outlineAfterMs ? outlineAfterMs : spent < wordsAfterMs ? wordsAfterMs : spent + 200;
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, since + next - Date.now()));
    return () => clearTimeout(timer);
  }, [since, spent]);
  return spent;
}

type FailedProps = Omit<Props, 'request'> & { failure: Failure; at: number };

function Failed({ failure, at, failedTitle, hasData, onRetry, retryAt, children }: Readonly<FailedProps>) {
  const isCanceled = failure.code === 'CANCELED';
  const title = isCanceled ? 'Canceled' : failedTitle;
  const words = (
    <>
      {children && <p>{children}</p>}
      <p>
        <ForeignText text={failure.message} canShowMore /> {adviceFor(failure)}{' '}
        <NextTry {...{ failure, at, retryAt }} />
      </p>
    </>
  );
  const actions = (
    <>
      {failure.details.needs ? (
        <AccessErrorAction needs={failure.details.needs} onRetry={onRetry} />
      ) : (
        failure.code === 'ACCESS_REFUSED' && <AccessButton />
      )}
      {onRetry && (
        <Button variant="default" leftSection={<IconRefresh size={14} />} onClick={onRetry}>
          {retryAt === undefined ? 'Retry' : 'Retry now'}
        </Button>
      )}
      {failure.details.exchangeId !== undefined && <TrafficButton id={failure.details.exchangeId} />}
    </>
  );
  if (hasData === false) {
    return (
      <section role="alert">
        <EmptyState
          icon={<IconAlertTriangle size={32} />}
          title={title}
          actions={actions}
          {...(!isCanceled && { tone: 'bad' })}
        >
          {words}
        </EmptyState>
      </section>
    );
  }
  return (
    <Banner tone={isCanceled ? 'plain' : 'bad'} title={title} actions={actions} role="alert">
      {words}
    </Banner>
  );
}

type BannerProps = {
  tone: 'bad' | 'warn' | 'plain';
  title: string;
  actions?: ReactNode;
  role?: 'alert' | 'status';
  children?: ReactNode;
};

/** One line above the data that it concerns. */
export function Banner({ tone, title, actions, role = 'status', children }: Readonly<BannerProps>) {
  return (
    <div className={classes.banner} role={role} data-tone={tone}>
      <IconAlertTriangle size={16} aria-hidden className={classes.mark} />
      <div className={classes.text}>
        <strong>{title}</strong>
        <div>{children}</div>
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}

/** The one time of the next try: of the app, or from which the user can try. */
function NextTry({ failure, at, retryAt }: Readonly<{ failure: Failure; at: number; retryAt: number | undefined }>) {
  const now = useNow(1000);
  const { retryAfterSeconds } = failure.details;
  const next = retryAt ?? (retryAfterSeconds === undefined ? undefined : at + retryAfterSeconds * 1000);
  if (next === undefined || (retryAt === undefined && next <= now)) return null;
  const left = <strong className="rb-numbers">{formatDuration(Math.max(0, next - now))}</strong>;
  return retryAt === undefined ? <>Try again in {left}.</> : <>Retrying in {left}.</>;
}

/** Opens exactly the request behind the error. */
function TrafficButton({ id }: { readonly id: number }) {
  const goTo = useApp((state) => state.frame.goTo);
  const select = useApp((state) => state.traffic.select);
  const open = () => {
    goTo('traffic');
    void select(id);
  };
  return (
    <Button variant="default" leftSection={<IconArrowsExchange size={14} />} onClick={open}>
      Open in Traffic
    </Button>
  );
}

/** The tokens, their scopes and how to renew them. */
function AccessButton() {
  const goTo = useApp((state) => state.frame.goTo);
  return (
    <Button variant="default" onClick={() => goTo('access')}>
      Open Access
    </Button>
  );
}

/** What the message itself cannot say: core writes what was wrong and what to do, these know more. */
function adviceFor({ code, details }: Failure): string {
  if (code === 'LINK_LOST') return 'The window reconnects automatically.';
  if (code === 'INTERNAL') return 'If it happens again, restart the app and look into its log.';
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
      <Button leftSection={<IconKey size={14} />} onClick={() => goTo('access')}>
        Sign in…
      </Button>
    );
  }
  if (connection?.isPublic) {
    return (
      <Button leftSection={<IconKey size={14} />} onClick={() => openEditor({ kind: 'edit', connection })}>
        Edit the connection…
      </Button>
    );
  }
  return (
    <Button loading={isBusy} leftSection={<IconKey size={14} />} onClick={() => void takeToken()}>
      Get an application token
    </Button>
  );
}
