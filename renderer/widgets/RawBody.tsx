// The body behind a failed request as it was received, from the traffic log.
import { selectPeek } from '../features/traffic/selectors.ts';
import { useEffect, useState } from 'react';
import type { TrafficEntry } from '@rainbell/contract/app-rpc';
import type { Outcome } from '../store/request.ts';
import { useApp } from '../store/use-app.ts';
import { formatSize } from '../ui/text/durations.ts';
import { CodeView } from '../viewers/CodeView.tsx';
import classes from './RequestNotice.module.css';

type Props = { readonly trafficId: number };

const maxHeight = 320;

/** `trafficId`: of the traffic log, and its key. Nothing is shown if its response has no body. */
export function RawBody({ trafficId }: Props) {
  const peek = useApp(selectPeek);
  const [read, setRead] = useState<Outcome<TrafficEntry> | null>(null);
  useEffect(() => void peek(trafficId).then(setRead), [peek, trafficId]);
  if (read?.failure) return <p role="alert">{`Couldn’t load the response: ${read.failure.message}`}</p>;
  const entry = read?.value;
  if (!entry?.responseBody) return null;
  return (
    <div className={classes.body}>
      <h2 className="rb-eyebrow">Response body</h2>
      <p>{describe(entry)}</p>
      <CodeView source={entry.responseBody} label="Response body" as="text" maxHeight={maxHeight} />
    </div>
  );
}

function describe({ status, sizeBytes, responseHeaders, truncated }: TrafficEntry): string {
  const type = responseHeaders.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'no content type';
  const size = formatSize(sizeBytes);
  const facts = status === null ? `Status unknown · ${type} · ${size}` : `Status ${status} · ${type} · ${size}`;
  return truncated ? `${facts}. Only the first part is stored.` : facts;
}
