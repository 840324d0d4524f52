// The response to a callback: what was sent, or what was planned if the connection ended first.
import type { Callback } from '@rainbell/contract/app-rpc';
import { describeOutcome } from '../common/outcome-text.ts';
import { formatSize } from '../../../ui/text/durations.ts';
import { HeaderTable } from '../../../viewers/HeaderTable.tsx';
import { CodeView } from '../../../viewers/CodeView.tsx';
import styles from '../../../widgets/DetailCard.module.css';
import { useMemo } from 'react';

export function CallbackResponse({ callback }: { readonly callback: Callback }) {
  const { answer, outcome } = callback;
  const body = answer?.body ?? '';
  const source = useMemo(() => ({ text: body }), [body]);
  const facts = [
    ...describeOutcome(callback),
    ...(outcome.bytesSent === null ? [] : [`sent: ${formatSize(outcome.bytesSent)}`]),
  ];
  return (
    <div className={`rb-column ${styles.part}`}>
      <p className="rb-note">
        {facts.join(' · ')}
        {outcome.kind !== 'answered' && answer?.action === 'answer' && (
          <>
            <br />
            The planned response is shown below.
          </>
        )}
      </p>
      {answer?.action === 'answer' && <HeaderTable headers={answer.headers} />}
      {body !== '' && <CodeView source={source} label="Response body" />}
    </div>
  );
}
