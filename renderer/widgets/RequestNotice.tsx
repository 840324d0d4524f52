// What a request is doing, the same on every screen: nothing for a moment, then the outline of what loads, then words with the
// seconds; a line on top of older data; on failure the cause, the time of the next try, and what to do.
import { Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Request } from '../store/request.ts';
import classes from './RequestNotice.module.css';
import { RequestFailure, type RequestNoticeProps } from './RequestFailure.tsx';

/** A load within this is at once for people; after `textAfterMs` they want to know what lasts. */
const outlineAfterMs = 150;
const textAfterMs = 1000;

export function RequestNotice(props: Readonly<RequestNoticeProps>) {
  const { request } = props;
  if (request.state === 'loading') return <Loading key={request.since} {...props} request={request} />;
  if (request.state === 'failed') return <RequestFailure {...props} failure={request.failure} at={request.at} />;
  return null;
}

type LoadingProps = Omit<RequestNoticeProps, 'request'> & { request: Extract<Request, { state: 'loading' }> };

function Loading({
  request,
  loadingText,
  hasData,
  outline = hasData === false && <ListOutline />,
}: Readonly<LoadingProps>) {
  const spent = useElapsed(request.since);
  if (spent < outlineAfterMs || loadingText === undefined) return null;
  const notice = spent >= textAfterMs && (
    <p className={`rb-note ${classes.words}`} role="status">
      {loadingText}, <span>{(spent / 1000).toFixed(1)} s</span>
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
      {notice}
      {hasData !== true && outline && (
        <div className={classes.outline} aria-hidden data-outline>
          {outline}
        </div>
      )}
    </>
  );
}

export function ListOutline({ rows = 8 }: { readonly rows?: number }) {
  return Array.from({ length: rows }, (_, index) => <Skeleton key={index} height={30} radius="sm" />);
}

/** Returns the milliseconds since that time, updated as often as the shown text changes. */
function useElapsed(since: number): number {
  const [now, setNow] = useState(() => Date.now());
  const spent = now - since;
  useEffect(() => {
    const next = spent < outlineAfterMs ? outlineAfterMs : spent < textAfterMs ? textAfterMs : spent + 200;
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, since + next - Date.now()));
    return () => clearTimeout(timer);
  }, [since, spent]);
  return spent;
}
