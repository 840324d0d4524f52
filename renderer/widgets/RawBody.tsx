// The body behind a failed request as it was received, from the traffic log: below the failure, or in a dialog.
import { selectPeek } from '../features/traffic/selectors.ts';
import { useEffect, useState } from 'react';
import { Button } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import type { TrafficEntry } from '@rainbell/contract/app-rpc';
import type { Failure } from '../store/request.ts';
import { useApp } from '../store/use-app.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { formatSize } from '../ui/text/durations.ts';
import { CodeView } from '../viewers/CodeView.tsx';
import classes from './RequestNotice.module.css';

type Props = { readonly trafficId: number };

const maxHeight = 320;

/** `trafficId`: of the traffic log. Nothing is shown if its response has no body. */
export function RawBody({ trafficId }: Props) {
  const read = useTrafficEntry(trafficId);
  if (read && 'entry' in read && read.entry.responseBody === '') return null;
  return (
    <div className={classes.body}>
      <h2 className="rb-eyebrow">Response body</h2>
      <Body read={read} />
    </div>
  );
}

/** Opens it in a dialog, if data on the screen needs the room. */
export function RawBodyButton({ trafficId }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconFileText size={14} />} onClick={() => setOpen(true)}>
        Show raw bytes
      </Button>
      {isOpen && (
        <Dialog title="Response body" size="xl" onClose={() => setOpen(false)}>
          <DialogBody trafficId={trafficId} />
        </Dialog>
      )}
    </>
  );
}

function DialogBody({ trafficId }: Props) {
  return <Body read={useTrafficEntry(trafficId)} />;
}

type Read = { entry: TrafficEntry } | { failure: Failure };

function useTrafficEntry(trafficId: number): Read | null {
  const peek = useApp(selectPeek);
  const [read, setRead] = useState<{ of: number; read: Read } | null>(null);
  useEffect(() => {
    let isWanted = true;
    void peek(trafficId).then((found) => isWanted && setRead({ of: trafficId, read: found }));
    return () => {
      isWanted = false;
    };
  }, [peek, trafficId]);
  return read?.of === trafficId ? read.read : null;
}

function Body({ read }: { readonly read: Read | null }) {
  if (!read) return null;
  if ('failure' in read) return <p role="alert">{`Couldn’t load the response: ${read.failure.message}`}</p>;
  const { entry } = read;
  return (
    <>
      <p>{describe(entry)}</p>
      {entry.responseBody !== '' && (
        <CodeView source={entry.responseBody} label="Response body" as="text" maxHeight={maxHeight} />
      )}
    </>
  );
}

function describe({ status, sizeBytes, responseHeaders, truncated, responseBody }: TrafficEntry): string {
  if (responseBody === '') return 'The response has no body.';
  const type = responseHeaders.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'no content type';
  const size = formatSize(sizeBytes);
  const facts = status === null ? `Status unknown · ${type} · ${size}` : `Status ${status} · ${type} · ${size}`;
  return truncated ? `${facts}. Only the first part is stored.` : facts;
}
