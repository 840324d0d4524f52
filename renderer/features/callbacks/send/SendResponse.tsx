// The result of a request that was sent from a callback: the response with its headers and body, or why there is none.
import { useMemo } from 'react';
import { type CallbackSend, isAccepted } from '@rainbell/contract/app-rpc';
import { formatMilliseconds } from '../common/outcome-text.ts';
import { ForeignText } from '../../../ui/text/ForeignText.tsx';
import { CodeView } from '../../../viewers/CodeView.tsx';
import { HeaderTable } from '../../../viewers/HeaderTable.tsx';

export const sendLabels: Readonly<Record<CallbackSend['kind'], string>> = {
  replay: 'Replay',
  edit: 'Edited request',
  forward: 'Forward',
};

/** `responded with 200 after 12 ms`, or why not. */
export function formatSendOutcome({ outcome, tookMs }: Pick<CallbackSend, 'outcome' | 'tookMs'>): string {
  if (outcome.kind !== 'answered') return outcome.message;
  return `responded with ${outcome.status} after ${formatMilliseconds(Math.round(tookMs))}`;
}

export function SendResponse({ send }: { readonly send: CallbackSend }) {
  const { outcome } = send;
  return (
    <section className="rb-stack" aria-label="Response">
      <p className="rb-note" data-bad={isAccepted(send) ? undefined : true} role="status">
        <ForeignText text={`${send.method} ${send.url}: ${formatSendOutcome(send)}`} limit={1000} canShowMore />
      </p>
      {outcome.kind === 'answered' && (
        <>
          <HeaderTable headers={outcome.headers} />
          <ResponseBody bodyBase64={outcome.bodyBase64} />
          {outcome.truncated && <p className="rb-note">Only the start of the response was stored.</p>}
        </>
      )}
    </section>
  );
}

function ResponseBody({ bodyBase64 }: { readonly bodyBase64: string }) {
  const source = useMemo(() => ({ base64: bodyBase64 }), [bodyBase64]);
  if (bodyBase64 === '') return <p className="rb-note">The response has no body.</p>;
  return <CodeView source={source} label="Response body" maxHeight={220} />;
}
