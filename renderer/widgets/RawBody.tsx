// The body behind a failed request as it was received, from the traffic log: below the failure, or in a dialog.
import { useEffect, useState } from 'react';
import { Button } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import type { TrafficEntry } from '#contract/app-rpc/traffic.ts';
import type { Failure } from '#renderer/store/request.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { Dialog } from '#renderer/ui/dialogs/Dialog.tsx';
import { formatSize } from '#renderer/ui/text/durations.ts';
import { CodeView } from '#renderer/viewers/CodeView.tsx';
import classes from './RequestNotice.module.css';

type Props = { readonly exchangeId: number };

const maxHeight = 320;

/** `exchangeId`: of the traffic log. Nothing is shown if its response has no body. */
export function RawBody({ exchangeId }: Props) {
  const read = useTrafficEntry(exchangeId);
  if (read && 'exchange' in read && read.exchange.responseBody === '') return null;
  return (
    <div className={classes.body}>
      <h2 className="rb-eyebrow">Response body</h2>
      <Body read={read} />
    </div>
  );
}

/** Opens it in a dialog, if data on the screen needs the room. */
export function RawBodyButton({ exchangeId }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconFileText size={14} />} onClick={() => setOpen(true)}>
        Show raw bytes
      </Button>
      {isOpen && (
        <Dialog title="Response body" size="xl" onClose={() => setOpen(false)}>
          <DialogBody exchangeId={exchangeId} />
        </Dialog>
      )}
    </>
  );
}

function DialogBody({ exchangeId }: Props) {
  return <Body read={useTrafficEntry(exchangeId)} />;
}

type Read = { exchange: TrafficEntry } | { failure: Failure };

function useTrafficEntry(exchangeId: number): Read | null {
  const peek = useApp((state) => state.traffic.peek);
  const [read, setRead] = useState<{ of: number; read: Read } | null>(null);
  useEffect(() => {
    let isWanted = true;
    void peek(exchangeId).then((found) => isWanted && setRead({ of: exchangeId, read: found }));
    return () => {
      isWanted = false;
    };
  }, [peek, exchangeId]);
  return read?.of === exchangeId ? read.read : null;
}

function Body({ read }: { readonly read: Read | null }) {
  if (!read) return null;
  if ('failure' in read) return <p role="alert">{`Couldn’t load the response: ${read.failure.message}`}</p>;
  const { exchange } = read;
  return (
    <>
      <p>{describe(exchange)}</p>
      {exchange.responseBody !== '' && (
        <CodeView source={exchange.responseBody} label="Response body" as="text" maxHeight={maxHeight} />
      )}
    </>
  );
}

function describe({ status, sizeBytes, responseHeaders, truncated, responseBody }: TrafficEntry): string {
  if (responseBody === '') return 'The response has no body.';
  const type = responseHeaders.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'no content type';
  const facts = `Status ${status ?? 'unknown'} · ${type} · ${formatSize(sizeBytes)}`;
  return truncated ? `${facts}. Only the first part is stored.` : facts;
}
