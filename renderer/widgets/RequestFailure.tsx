// What `RequestNotice` shows of a failure: the cause, the time of the next try, and what to do.
import { isSigningIn, selectSignIn } from '../features/access/selectors.ts';
import { editConnection, selectActiveConnection } from '../features/connections/selectors.ts';
import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { TaskButton } from '../ui/controls/TaskButton.tsx';
import { IconAlertTriangle, IconKey, IconRefresh } from '@tabler/icons-react';
import type { Failure, Request } from '../store/request.ts';
import { useApp, useAppStore } from '../store/use-app.ts';
import { EmptyState } from '../ui/controls/EmptyState.tsx';
import { useNow } from '../ui/hooks/use-now.ts';
import { formatDuration } from '../ui/text/durations.ts';
import { ForeignText } from '../ui/text/ForeignText.tsx';
import { Banner } from './Banner.tsx';
import { TrafficButton } from './TrafficButton.tsx';

// The viewers are larger than the rest of the first screen.
const RawBody = lazy(async () => ({ default: (await import('./RawBody.tsx')).RawBody }));

export type RequestNoticeProps = {
  request: Request;
  /** What was tried, for instance `Couldn't fetch the forecast`. */
  failedTitle: string;
  /** Said when it lasts over a second, for instance `Fetching Turin from Staging`. */
  loadingText?: string;
  /** The shape of what loads, in its final size; rows if `hasData` is false. */
  outline?: ReactNode;
  /** Whether older data stays on screen. Without it a failure takes the screen's place, not a line of it. */
  hasData?: boolean;
  onRetry?: () => void;
  /** When the app tries again without the user, epoch milliseconds. */
  retryAt?: number | undefined;
  /** Comes first in a failure, for instance the time of the data below. */
  children?: ReactNode;
};

type Props = Pick<RequestNoticeProps, 'failedTitle' | 'hasData' | 'onRetry' | 'retryAt' | 'children'> & {
  failure: Failure;
  at: number;
};

export function RequestFailure({ failure, at, failedTitle, hasData, onRetry, retryAt, children }: Readonly<Props>) {
  const { trafficId } = failure.details;
  const goTo = useApp((state) => state.frame.goTo);
  const isCanceled = failure.code === 'CANCELED';
  const title = isCanceled ? 'Canceled' : failedTitle;
  const hint = (
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
        failure.code === 'ACCESS_REFUSED' && <Button onClick={() => goTo('access')}>Open Access</Button>
      )}
      {onRetry && (
        <Button leftSection={<IconRefresh />} onClick={onRetry}>
          {retryAt === undefined ? 'Retry' : 'Retry now'}
        </Button>
      )}
      <TrafficButton id={trafficId} isLarge />
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
          {hint}
        </EmptyState>
        {trafficId !== undefined && (
          <Suspense fallback={null}>
            <RawBody key={trafficId} trafficId={trafficId} />
          </Suspense>
        )}
      </section>
    );
  }
  return (
    <Banner tone={isCanceled ? 'plain' : 'bad'} title={title} actions={actions} role="alert">
      {hint}
    </Banner>
  );
}

/** The one time of the next try: of the app, or from which the user can try. */
function NextTry({ failure, at, retryAt }: Readonly<{ failure: Failure; at: number; retryAt: number | undefined }>) {
  const now = useNow(1000);
  const { retryAfterSeconds } = failure.details;
  const next = retryAt ?? (retryAfterSeconds === undefined ? undefined : at + retryAfterSeconds * 1000);
  if (next === undefined || (retryAt === undefined && next <= now)) return null;
  const left = <strong>{formatDuration(Math.max(0, next - now))}</strong>;
  return retryAt === undefined ? <>Try again in {left}.</> : <>Retrying in {left}.</>;
}

/** What the message itself cannot say: core writes what was wrong and what to do, these know more. */
function adviceFor({ code, details }: Failure): string {
  if (code === 'LINK_LOST') return 'The window will reconnect automatically.';
  if (code === 'INTERNAL') return 'If it happens again, restart the app and check its log.';
  return code === 'PORT_TAKEN' && details.port !== undefined ? `Port ${details.port} is free.` : '';
}

type AccessErrorProps = { needs: 'client_credentials' | 'sign_in'; onRetry?: (() => void) | undefined };

/**
 * What the user can do about a refusal at once: get an application token for monitors (docs/interface.md §5.7), change a public
 * client, which can't get one, or sign in.
 */
function AccessErrorAction({ needs, onRetry }: Readonly<AccessErrorProps>) {
  const signIn = useApp(selectSignIn);
  const isBusy = useApp(isSigningIn);
  const goTo = useApp((state) => state.frame.goTo);
  const store = useAppStore();
  const connection = useApp(selectActiveConnection);
  const takeToken = async () => {
    if (await signIn({ way: 'client_credentials' })) onRetry?.();
    else goTo('access');
  };
  if (needs === 'sign_in') {
    return (
      <Button variant="filled" leftSection={<IconKey />} onClick={() => goTo('access')}>
        Sign in…
      </Button>
    );
  }
  if (connection?.isPublic) {
    return (
      <Button variant="filled" leftSection={<IconKey />} onClick={() => editConnection(store.getState(), connection)}>
        Edit the connection…
      </Button>
    );
  }
  return (
    <TaskButton variant="filled" loading={isBusy} leftSection={<IconKey />} task={() => takeToken()}>
      Get an application token
    </TaskButton>
  );
}
