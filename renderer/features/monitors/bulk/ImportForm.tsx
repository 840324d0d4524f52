// Create many: pasted lines or a CSV file, first as a dry run that says what each line would do.
import { Button, FileButton, Textarea } from '@mantine/core';
import { TaskButton } from '#renderer/ui/controls/TaskButton.tsx';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import { ScrollRegion } from '#renderer/ui/controls/ScrollRegion.tsx';
import { formatCount } from '#renderer/ui/text/format-count.ts';
import { importTasks } from '#renderer/features/monitors/common/bulk-tasks.ts';
import { useUnsaved } from '#renderer/ui/hooks/use-unsaved.ts';
import { type PlannedRow, planImport } from '#renderer/features/monitors/common/import-plan.ts';
import classes from '#renderer/features/monitors/common/MonitorDialogs.module.css';
import screen from '#renderer/features/monitors/common/MonitorsScreen.module.css';

const fileLimit = 5_000_000;

export function ImportForm() {
  const { items, facts, openDialog, runBulk } = useApp((state) => state.monitors);
  const [text, setText] = useState('');
  useUnsaved(text);
  const [problem, setProblem] = useState<string | null>(null);
  const later = useDeferredValue(text);
  const monitorLimit = facts?.plan?.monitorLimit ?? null;
  const plan = useMemo(() => planImport(later, { existing: items, monitorLimit }), [later, items, monitorLimit]);
  const counts = countsOf(plan);
  const read = async (file: File | null) => {
    if (file === null) return;
    if (file.size > fileLimit) setProblem(`${file.name} has more than 5 MB. Split it.`);
    else {
      setProblem(null);
      setText(await file.text());
    }
  };
  const create = async () => {
    openDialog(null);
    await runBulk(`Create ${formatCount(counts.create, 'monitor')}`, importTasks(plan));
  };
  return (
    <div className={classes.fields}>
      <Textarea
        label="Lines"
        description="One per line: lat,lng[,callback]. Or CSV with columns lat, lng, callback_uri, name, tags (; between them), note."
        placeholder={'45.0703, 7.6869\n60.3913, 5.3221, https://ops.example.net/rain'}
        classNames={{ input: 'rb-mono' }}
        rows={6}
        data-autofocus
        value={text}
        error={problem}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div>
        <FileButton accept=".csv,.tsv,.txt,text/csv" onChange={(file) => void read(file)}>
          {(props) => (
            <Button {...props} variant="default" size="xs" leftSection={<IconFileSpreadsheet size={15} />}>
              Read a CSV file…
            </Button>
          )}
        </FileButton>
      </div>
      {plan.length > 0 && <Plan plan={plan} />}
      <div className={classes.buttons}>
        <span className={classes.changes} role="status">
          {plan.length === 0
            ? 'Nothing is sent before you press Create.'
            : `${counts.create} to create, ${counts.skip} skipped, ${counts.error} with an error`}
        </span>
        <TaskButton disabled={counts.create === 0 || later !== text} task={create}>
          Create {counts.create}
        </TaskButton>
        <Button variant="subtle" className={classes.cancel ?? ''} onClick={() => openDialog(null)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

function countsOf(plan: readonly PlannedRow[]): Record<PlannedRow['kind'], number> {
  const counts = { create: 0, skip: 0, error: 0 };
  for (const { kind } of plan) counts[kind] += 1;
  return counts;
}

const kindLabels = { create: 'create', skip: 'skip', error: 'error' } as const;
const order = { error: 0, skip: 1, create: 2 } as const;
const shownLines = 300;

/** What is wrong stands first. */
function Plan({ plan }: { readonly plan: readonly PlannedRow[] }) {
  const sorted = plan.toSorted((one, other) => order[one.kind] - order[other.kind] || one.line - other.line);
  return (
    <ScrollRegion label="Dry run" className={screen.plannedFrame ?? ''}>
      <table className={screen.planned}>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">What</th>
            <th scope="col">Text</th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, shownLines).map((row) => (
            <tr key={row.line} data-kind={row.kind}>
              <td>{row.line}</td>
              <td>
                {kindLabels[row.kind]}
                {row.kind !== 'create' && `: ${row.words}`}
              </td>
              <td className="rb-mono">{row.cells.slice(0, 120)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > shownLines && <p>… and {sorted.length - shownLines} lines more.</p>}
    </ScrollRegion>
  );
}
