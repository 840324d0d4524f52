// The response to a callback: what was sent, or what was planned if the connection ended first.
import type { Callback } from '#contract/app-rpc/callbacks.ts';
import { describeOutcome } from '#renderer/features/callbacks/common/outcome-text.ts';
import { formatSize } from '#renderer/ui/text/durations.ts';
import { HeaderTable } from '#renderer/viewers/HeaderTable.tsx';
import { CodeView } from '#renderer/viewers/CodeView.tsx';
import styles from '#renderer/widgets/DetailCard.module.css';
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
    <div className={styles.part}>
      <p className={styles.facts}>
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
