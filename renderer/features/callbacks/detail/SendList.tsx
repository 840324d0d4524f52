// Replays, edited requests and forwards made from a callback, each with its answer.
import { Accordion } from '@mantine/core';
import { type Callback, isAccepted } from '@rainbell/contract/app-rpc';
import { ForeignText } from '../../../ui/text/ForeignText.tsx';
import { useLogTimes } from '../../../widgets/use-log-times.ts';
import styles from '../../../widgets/DetailCard.module.css';
import { formatSendOutcome, SendResponse, sendLabels } from '../send/SendResponse.tsx';

export function SendList({ sends }: Pick<Callback, 'sends'>) {
  const times = useLogTimes();
  if (sends.length === 0) return <p className={styles.none}>Not replayed or forwarded yet.</p>;
  return (
    <Accordion variant="contained" aria-label="Replays and forwards of this callback">
      {sends.map((send) => (
        <Accordion.Item key={send.id} value={String(send.id)}>
          <Accordion.Control>
            <span className="rb-small rb-break" data-bad={isAccepted(send) ? undefined : true}>
              {times.clockSeconds(Date.parse(send.startedAt))} · {sendLabels[send.kind]} ·{' '}
              <ForeignText text={`${URL.parse(send.url)?.host ?? send.url} · ${formatSendOutcome(send)}`} limit={300} />
            </span>
          </Accordion.Control>
          <Accordion.Panel>
            <SendResponse send={send} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
