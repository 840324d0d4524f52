// What an action on many would change, monitor by monitor.
import type { AppMonitor, BulkTask } from '@rainbell/contract/app-rpc';
import { ScrollRegion } from '../../../ui/controls/ScrollRegion.tsx';
import { previewOf } from '../common/bulk-tasks.ts';
import screen from '../common/MonitorsScreen.module.css';

const shownLines = 100;

type Props = { monitors: readonly AppMonitor[]; tasks: readonly BulkTask[] };

export function BulkPreview({ monitors, tasks }: Readonly<Props>) {
  if (tasks.length === 0) return null;
  const lines = previewOf(monitors, tasks.slice(0, shownLines));
  const hasValues = lines.some(({ after }) => after !== '');
  return (
    <ScrollRegion label="Preview" className={screen.plannedFrame ?? ''}>
      <table className="rb-table rb-small">
        {hasValues && (
          <thead>
            <tr>
              <th scope="col">Monitor</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
        )}
        <tbody>
          {lines.map(({ id, label, before, after }) => (
            <tr key={id}>
              <td>{label}</td>
              {hasValues && (
                <>
                  <td className="rb-mono">{before}</td>
                  <td className="rb-mono">{after}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {tasks.length > shownLines && <p>{`And ${(tasks.length - shownLines).toLocaleString('en')} more`}</p>}
    </ScrollRegion>
  );
}
