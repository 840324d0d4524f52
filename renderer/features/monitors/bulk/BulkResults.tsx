// The progress of an action on many: Stop while it runs, then the failures, Retry for them, and Undo for the rest. One without either is a message.
import { Progress } from '@mantine/core';
import { TaskButton } from '../../../ui/controls/TaskButton.tsx';
import { useApp } from '../../../store/use-app.ts';
import { plural } from '@rainbell/shared';
import { ScrollRegion } from '../../../ui/controls/ScrollRegion.tsx';
import { TrafficButton } from '../../../widgets/TrafficButton.tsx';
import classes from '../common/MonitorsScreen.module.css';

export function BulkResults() {
  const { bulk, stopBulk, retryBulk, undoBulk, closeBulk } = useApp((state) => state.monitors);
  if (bulk === null) return null;
  const { title, total, done, failed, stopped, isRunning, canUndo, failures } = bulk;
  const left = failed + stopped;
  const summary = [
    `${done.toLocaleString('en')} of ${total.toLocaleString('en')} done`,
    ...(failed > 0 ? [plural(failed, ['# failed', '# failed'])] : []),
    ...(stopped > 0 ? [plural(stopped, ['# not started', '# not started'])] : []),
  ].join(', ');
  return (
    <section className="rb-column" aria-label={title}>
      <div className="rb-toolbar">
        <strong>{title}</strong>
        <span role="status">{summary}</span>
        <span className="rb-fill">
          {isRunning && (
            <Progress aria-label={summary} value={((done + failed) / Math.max(1, total)) * 100} size="sm" />
          )}
        </span>
        {isRunning ? (
          <TaskButton task={stopBulk}>Stop</TaskButton>
        ) : (
          <>
            {left > 0 && (
              <TaskButton variant="filled" task={retryBulk}>
                {`Retry ${left.toLocaleString('en')}`}
              </TaskButton>
            )}
            {canUndo && <TaskButton task={undoBulk}>Undo</TaskButton>}
            <TaskButton task={closeBulk}>Close</TaskButton>
          </>
        )}
      </div>
      {failures.length > 0 && (
        <ScrollRegion label="Failures" className={`rb-small rb-scroll ${classes.failures}`}>
          <ul>
            {failures.map(({ label, message, trafficId }) => (
              <li key={label} className={`rb-tone ${classes.failure}`} data-tone="bad">
                <span className="rb-mono rb-truncate">{label}</span>
                <span className="rb-truncate" title={message}>
                  {message}
                </span>
                <TrafficButton id={trafficId} size="compact-xs" about={label} />
              </li>
            ))}
          </ul>
          {failed > failures.length && `And ${(failed - failures.length).toLocaleString('en')} more failed`}
        </ScrollRegion>
      )}
    </section>
  );
}
