// A request as its sender wrote it: the head's bytes if they were kept, and the body.
import { useMemo } from 'react';
import { type Callback, headLimits } from '@rainbell/contract/app-rpc';
import { CopyIcon } from '../../../ui/controls/CopyIcon.tsx';
import { formatSize } from '../../../ui/text/durations.ts';
import { bytesOf, hexDump, textOf } from '../../../viewers/body-text.ts';
import { CodeView } from '../../../viewers/CodeView.tsx';

export function RawRequest({ callback }: { readonly callback: Callback }) {
  const source = useMemo(() => ({ base64: callback.bodyBase64 }), [callback.bodyBase64]);
  const head = useMemo(() => headText(callback.head), [callback.head]);
  const copy = () => {
    const bytes = bytesOf(callback.bodyBase64);
    return `${head}${textOf(bytes) ?? hexDump(bytes)}`;
  };
  return (
    <div className="rb-column">
      {noteOf(callback) && <p className="rb-note">{noteOf(callback)}</p>}
      <CodeView source={source} head={head} label="Raw request" />
      <div className="rb-row rb-wrap rb-note">
        <CopyIcon text={copy} label="Copy the request" />
      </div>
    </div>
  );
}

function headText(head: Callback['head']): string {
  if (!head) return '';
  return textOf(bytesOf(head.base64)) ?? atob(head.base64);
}

function noteOf({ head, isImported, isByFeed, headers }: Callback): string | undefined {
  if (!head) return undefined;
  const notes: string[] = [];
  if (isImported) notes.push('Rebuilt from the headers in the imported file.');
  else if (isByFeed) notes.push('Rebuilt from the headers in the feed. No request arrived.');
  else if (!head.isExact) notes.push(rebuiltNote);
  const isChunked = headers.some(([name]) => name.toLowerCase() === 'transfer-encoding');
  if (isChunked) notes.push('The body is shown without its chunk sizes.');
  return notes.join(' ') || undefined;
}

const { connections, bytes } = headLimits;
const rebuiltNote = `Rebuilt from the parsed headers. Exact bytes are stored for up to ${connections} connections at a time, up to ${formatSize(bytes)} per request.`;
