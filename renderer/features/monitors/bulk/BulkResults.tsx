// The progress of an action on many: Stop while it runs, then the failures, Retry for them, and Undo for the rest. One without either is a message.
import { Progress } from '@mantine/core';
import { TaskButton } from '../../../ui/controls/TaskButton.tsx';
import { useApp } from '../../../store/use-app.ts';
import { plural } from '@rainbell/shared';
import { RowsTable } from '../../../ui/controls/RowsTable.tsx';
import { TrafficButton } from '../../../widgets/TrafficButton.tsx';

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
        <RowsTable label="Failures" heads={[]} rows={failures} max={Infinity}>
          {({ label, message, trafficId }) => (
            <tr key={label} data-bad>
              <td className="rb-mono">{label}</td>
              <td>{message}</td>
              <td>
                <TrafficButton id={trafficId} about={label} />
              </td>
            </tr>
          )}
        </RowsTable>
      )}
      {failed > failures.length && `And ${(failed - failures.length).toLocaleString('en')} more failed`}
    </section>
  );
}
