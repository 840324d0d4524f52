// Create many: pasted lines, CSV, or JSON, first as a dry run that says what each line would do. The columns of a file can be mapped.
import { Button, FileButton, NativeSelect, Textarea } from '@mantine/core';
import { TaskButton } from '../../../ui/controls/TaskButton.tsx';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { plural, readText, visibleText } from '@rainbell/shared';
import { useApp } from '../../../store/use-app.ts';
import { RowsTable } from '../../../ui/controls/RowsTable.tsx';
import { importTasks } from '../common/bulk-tasks.ts';
import { useUnsaved } from '../../../ui/hooks/use-unsaved.ts';
import {
  type FileColumn,
  fileColumns,
  type ImportColumn,
  isJsonText,
  planImport,
  type PlannedRow,
  readFileColumns,
} from '@rainbell/contract/monitor-files';
import { FormButtons } from '../../../ui/dialogs/FormDialog.tsx';

const fileLimit = 5_000_000;

export function ImportForm() {
  const { items, facts, openDialog, runBulk } = useApp((state) => state.monitors);
  const [text, setText] = useState('');
  useUnsaved(text);
  const [problem, setProblem] = useState<string | null>(null);
  /** A file of an unknown encoding, until the user decides. */
  const [ansi, setAnsi] = useState<{ name: string; text: string } | null>(null);
  /** What the user chose for each column of the file, by its heading. */
  const [chosen, setChosen] = useState<ChosenColumns>(new Map());
  const later = useDeferredValue(text);
  const monitorLimit = facts?.plan?.monitorLimit ?? null;
  const fileColumnsRead = useMemo(() => readFileColumns(later), [later]);
  const columns = useMemo(() => fileColumnsRead && columnsOf(fileColumnsRead, chosen), [fileColumnsRead, chosen]);
  const plan = useMemo(
    () => planImport(later, { existing: items, monitorLimit, columns: columns ?? undefined }),
    [later, items, monitorLimit, columns],
  );
  const counts = countsOf(plan);
  const read = async (file: File | null) => {
    if (file === null) return;
    if (file.size > fileLimit) setProblem(`${file.name} is larger than 5 MB. Split it into smaller files.`);
    else {
      setProblem(null);
      const found = readText(new Uint8Array(await file.arrayBuffer()));
      setAnsi(found.isAnsi ? { name: file.name, text: found.text } : null);
      if (!found.isAnsi) setText(found.text);
    }
  };
  const create = async () => {
    openDialog(null);
    await runBulk(plural(counts.create, ['Create # monitor', 'Create # monitors']), importTasks(plan));
  };
  return (
    <div className="rb-stack">
      <Textarea
        label="Lines"
        description="One per line: lat,lng[,callback]. Or CSV with columns lat, lng, callback_uri, name, tags (separated by semicolons), note. Or an exported JSON file."
        placeholder={'45.0703, 7.6869\n60.3913, 5.3221, https://ops.example.net/rain'}
        classNames={{ input: 'rb-mono' }}
        rows={6}
        data-autofocus
        value={text}
        error={problem}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div>
        <FileButton accept=".csv,.tsv,.txt,.json,text/csv,application/json" onChange={(file) => void read(file)}>
          {(props) => (
            <Button {...props} leftSection={<IconFileSpreadsheet />}>
              Choose a file…
            </Button>
          )}
        </FileButton>
      </div>
      {ansi && (
        <div role="alert">
          <p>{`${ansi.name} is neither UTF-8 nor UTF-16. Is this line right?`}</p>
          <p className="rb-mono">{visibleText(/^.*[^\r\n -~].*$/m.exec(ansi.text)?.[0] ?? '', 120)}</p>
          <Button
            onClick={() => {
              setText(ansi.text);
              setAnsi(null);
            }}
          >
            Read as Windows-1252
          </Button>
        </div>
      )}
      {fileColumnsRead && columns && (
        <Columns read={fileColumnsRead} columns={columns} onChoose={(next) => setChosen(next)} chosen={chosen} />
      )}
      {plan.length > 0 && <Plan plan={plan} lineName={isJsonText(later) ? 'Entry' : 'Line'} />}
      <FormButtons>
        <span className="rb-fill rb-note" role="status">
          {plan.length === 0
            ? 'Nothing is sent until you press Create.'
            : `${counts.create} to create, ${counts.skip} skipped, ${counts.error} with errors`}
        </span>
        <TaskButton variant="filled" disabled={counts.create === 0 || later !== text} task={create}>
          Create {counts.create.toLocaleString('en')}
        </TaskButton>
      </FormButtons>
    </div>
  );
}

type ChosenColumns = ReadonlyMap<string, ImportColumn | null>;

/** A column that the user chose for one heading is taken from the heading that had it. */
function columnsOf(read: readonly FileColumn[], chosen: ChosenColumns): readonly (ImportColumn | null)[] {
  const taken = new Set([...chosen.values()].filter((column) => column !== null));
  return read.map(({ heading, column }) => {
    const choice = chosen.get(heading);
    if (choice !== undefined) return choice;
    return column !== null && taken.has(column) ? null : column;
  });
}

const columnNames: Readonly<Record<ImportColumn, string>> = {
  id: 'ID (left out)',
  name: 'Name',
  lat: 'Latitude',
  lng: 'Longitude',
  callback_uri: 'Callback URL',
  tags: 'Tags (separated by ;)',
  note: 'Note',
  options: 'Events (JSON)',
};

type ColumnsProps = {
  read: readonly FileColumn[];
  columns: readonly (ImportColumn | null)[];
  chosen: ChosenColumns;
  onChoose: (chosen: ChosenColumns) => void;
};

function Columns({ read, columns, chosen, onChoose }: Readonly<ColumnsProps>) {
  const choose = (heading: string, wanted: ImportColumn | null) => {
    const others = [...chosen].filter(([other, column]) => other !== heading && (wanted === null || column !== wanted));
    onChoose(new Map([...others, [heading, wanted]]));
  };
  const choices = [
    { value: '', label: 'Leave out' },
    ...fileColumns.map((column) => ({ value: column, label: columnNames[column] })),
  ];
  return (
    <RowsTable label="File columns" heads={['Column', 'Field', 'Sample values']} rows={read} max={Infinity}>
      {({ heading, samples }, index) => (
        // Two columns may have the same heading.
        <tr key={`${index} ${heading}`}>
          <td>{visibleText(heading, 60)}</td>
          <td>
            <NativeSelect
              size="xs"
              aria-label={`Meaning of column ${heading}`}
              data={choices}
              value={columns[index] ?? ''}
              onChange={({ currentTarget: { value } }) =>
                choose(heading, fileColumns.find((column) => column === value) ?? null)
              }
            />
          </td>
          <td className="rb-mono">{visibleText(samples.filter((sample) => sample !== '').join(' · '), 80)}</td>
        </tr>
      )}
    </RowsTable>
  );
}

function countsOf(plan: readonly PlannedRow[]): Record<PlannedRow['kind'], number> {
  const counts = { create: 0, skip: 0, error: 0 };
  for (const { kind } of plan) counts[kind] += 1;
  return counts;
}

const order = { error: 0, skip: 1, create: 2 } as const;

function actionOf(row: PlannedRow): string {
  if (row.kind === 'create') return 'Create';
  return row.kind === 'skip' ? `Skip: ${row.message}` : `Error: ${row.message}`;
}

/** Problems are first. */
function Plan({ plan, lineName }: { readonly plan: readonly PlannedRow[]; readonly lineName: string }) {
  const sorted = plan.toSorted((one, other) => order[one.kind] - order[other.kind] || one.line - other.line);
  return (
    <RowsTable label="Dry run" heads={[lineName, 'Action', 'Text']} rows={sorted} max={300}>
      {(row) => (
        <tr key={row.line} className={row.kind === 'skip' ? 'rb-dim' : ''} data-bad={row.kind === 'error' || undefined}>
          <td>{row.line}</td>
          <td>{actionOf(row)}</td>
          <td className="rb-mono">{row.cells.slice(0, 120)}</td>
        </tr>
      )}
    </RowsTable>
  );
}
