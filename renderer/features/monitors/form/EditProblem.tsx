// The progress of an edit, and why it was not saved. If the monitor was changed elsewhere in the meantime: mine and theirs by
// field, and the choice.
import { Button } from '@mantine/core';
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';

type Conflict = { field: string; mine: string; theirs: string };

type Props = {
  monitor: AppMonitor;
  onWriteMine: (theirs: AppMonitor) => void;
  onTakeTheirs: () => void;
};

export function EditProblem({ monitor, onWriteMine, onTakeTheirs }: Readonly<Props>) {
  const saving = useApp((state) => state.monitors.saving);
  const conflicts = saving.state === 'failed' && saving.failure.code === 'CONFLICT' && saving.failure.details.conflicts;
  if (!conflicts) {
    return (
      <RequestNotice
        request={saving}
        failedTitle="Couldn’t save the monitor"
        loadingText="Saving the monitor"
        hasData
      />
    );
  }
  return (
    <div className="rb-notice rb-lined" data-tone="warn" role="alert">
      <strong>This monitor was changed elsewhere</strong>
      <table className="rb-table rb-small">
        {conflicts.map(({ field, ...values }) => (
          <tbody key={field}>
            <tr>
              <th scope="rowgroup" colSpan={2} translate="no">
                {field}
              </th>
            </tr>
            {(['mine', 'theirs'] as const).map((whose) => (
              <tr key={whose}>
                <th scope="row">{whose === 'mine' ? <>mine</> : <>theirs</>}</th>
                <td className="rb-mono">{values[whose]}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      <div className="rb-row rb-wrap">
        <Button size="xs" onClick={() => onWriteMine(withTheirs(monitor, conflicts))}>
          Overwrite with my changes
        </Button>
        <Button size="xs" variant="default" onClick={onTakeTheirs}>
          Discard my changes
        </Button>
      </div>
    </div>
  );
}

/** Theirs as shown, so that a still newer change is a conflict again. */
function withTheirs(monitor: AppMonitor, conflicts: readonly Conflict[]): AppMonitor {
  const theirs = new Map(conflicts.map((conflict) => [conflict.field, conflict.theirs]));
  const [lat, lng] = (theirs.get('geo') ?? '').split(', ').map(Number);
  return {
    ...monitor,
    callbackUri: theirs.get('callback_uri') ?? monitor.callbackUri,
    geo: lat === undefined || lng === undefined ? monitor.geo : { lat, lng },
  };
}
