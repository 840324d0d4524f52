// Two callbacks in one text: what only one side has, and what both share.
import type { Callback } from '@rainbell/contract/app-rpc';
import { plural } from '@rainbell/shared';
import { useMemo, useState } from 'react';
import { CopyIcon } from '../ui/controls/CopyIcon.tsx';
import { formatDuration } from '../ui/text/durations.ts';
import { CutNote, Working } from './CodeView.tsx';
import type { Compared } from './differences.ts';
import type { RowKind, Rows } from './rows.ts';
import { RowsView } from './RowsView.tsx';
import { useTask } from './run-task.ts';

/** Both must keep their identity while they hold the same. */
type Props = { older: Callback; newer: Callback };

export function DifferencesView({ older, newer }: Readonly<Props>) {
  const [portions, setPortions] = useState(1);
  const input = useMemo(() => ({ older, newer, portions }), [older, newer, portions]);
  const length = lengthOf(older) + lengthOf(newer);
  const found = useTask('differences', input, { length, subject: older });
  if (found.state === 'working') return <Working length={length} />;
  if (found.state === 'failed')
    return (
      <p className="rb-notice" data-tone="warn" role="alert">
        {found.reason === 'deadline'
          ? 'Couldn’t compare these requests in time. Save both bodies and compare the files.'
          : 'Couldn’t compare these requests: the viewer’s worker failed. Reload the window and try again.'}
      </p>
    );
  const { rows, differing, isCoarse, isOnlyWhiteSpace } = found.value;
  const count = differing === 0 ? 'No lines differ.' : plural(differing, ['# line differs.', '# lines differ.']);
  const later = formatDuration(Date.parse(newer.receivedAt) - Date.parse(older.receivedAt));
  return (
    <>
      <div className="rb-row">
        <p role="status">{`${count} The newer callback (+) arrived ${later} after the older one (−).`}</p>
        {/* The browser cannot find or select what is out of view. */}
        <CopyIcon text={() => differencesText(rows)} label="Copy the differences" />
      </div>
      {isOnlyWhiteSpace && <p className="rb-note">The bodies differ only in whitespace between JSON values.</p>}
      {isCoarse && (
        <p className="rb-note">
          Too many differences to compare every line: some lines are shown as replaced even though both sides have them.
        </p>
      )}
      <RowsView rows={rows} label="Differences" isCompared />
      <CutNote rows={rows} onMore={() => setPortions(portions + 1)} />
    </>
  );
}

const signs: Readonly<Record<RowKind, string>> = { same: '  ', gone: '- ', new: '+ ', folded: '  ' };

/** The lines that are shown, as `diff` writes them. */
function differencesText({ rows }: Rows): string {
  const texts = rows.map(({ kind, text, isContinued }) => (isContinued ? text : `\n${signs[kind]}${text}`));
  return texts.join('').slice(1);
}

function lengthOf({ target, headers, bodyBase64 }: Compared): number {
  return (
    target.length + bodyBase64.length + headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  );
}
