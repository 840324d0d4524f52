// What the selected monitor is doing now, in one line: the service's explanation, with times in the zone of the logs.
import { useEffect } from 'react';
import { formatExplanation } from '@rainbell/contract/service-api';
import { useApp } from '../../store/use-app.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { useLogTimes } from '../../widgets/use-log-times.ts';

export function Explanation({ id }: { readonly id: string }) {
  const { explanation, facts, loadExplanation } = useApp((state) => state.monitors);
  const minute = Math.floor(useNow(60_000) / 60_000);
  const times = useLogTimes();
  // A check, an attempt, or an edit may have changed it.
  useEffect(() => void loadExplanation(), [id, facts, minute, loadExplanation]);
  if (explanation?.monitor_id !== id) return null;
  const today = times.dayKey(Date.parse(`${explanation.now}Z`));
  const formatTime = (at: number) =>
    `${times.dayKey(at) === today ? times.clock(at) : times.dayClock(at)} ${times.zoneName(at)}`;
  return (
    <p className="rb-dim" role="note" aria-label="Current activity">
      <ForeignText text={formatExplanation(explanation, formatTime)} limit={400} />
    </p>
  );
}
