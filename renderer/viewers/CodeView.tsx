// A text or body from elsewhere: JSON laid out in colors, whose branches fold, other text as received, other bytes as a hex dump. Nothing in
// it runs, and whatever arrives, the page shows a bounded part of it and says so.
import { plural } from '@rainbell/shared';
import { Button, Loader } from '@mantine/core';
import { useMemo, useState } from 'react';
import { formatSize } from '../ui/text/durations.ts';
import { useIsSlow } from '../ui/hooks/use-is-slow.ts';
import { budget } from './budget.ts';
import { JsonLines } from './JsonLines.tsx';
import { rowBudget, type Rows, textRows } from './rows.ts';
import { RowsView, windowedHeight } from './RowsView.tsx';
import { useTask } from './run-task.ts';
import { type Source, sourceLength } from './tasks.ts';
import classes from './CodeView.module.css';

type Props = {
  /** Must keep its identity while it holds the same, unless it is a plain text. */
  source: Source | string;
  label: string;
  /** `text`: as received, even if it is JSON. */
  as?: 'auto' | 'text' | 'hex';
  /** Text before a body, such as a request's head. */
  head?: string;
  maxHeight?: number;
};

export function CodeView({ source, label, as = 'auto', head = '', maxHeight }: Readonly<Props>) {
  const stable = useMemo(() => (typeof source === 'string' ? { text: source } : source), [source]);
  const [portions, setPortions] = useState(1);
  const input = useMemo(() => ({ source: stable, portions, as, head }), [stable, portions, as, head]);
  // Text as received costs as much as its portion, however long it is.
  const length = as === 'text' && 'text' in stable ? 0 : sourceLength(stable);
  const laidOut = useTask('layout', input, { length, subject: stable });
  if (laidOut.state === 'working') return <Working length={length} />;
  if (laidOut.state === 'failed')
    return <Beginning reason={laidOut.reason} label={label} source={stable} maxHeight={maxHeight} />;
  if ('outline' in laidOut.value) {
    const { outline } = laidOut.value;
    const isWhole = outline.count <= budget.wholeRows && outline.lines.source.length <= budget.wholeCharacters;
    return (
      <JsonLines
        outline={outline}
        label={label}
        className="rb-sunken"
        isOpenFirst={allOpen}
        isWhole={isWhole}
        maxHeight={maxHeight ?? (isWhole ? 'none' : windowedHeight)}
      />
    );
  }
  const { rows, isUnformatted } = laidOut.value;
  return (
    <>
      <RowsView rows={rows} label={label} maxHeight={maxHeight} />
      {isUnformatted && (
        <p className="rb-note">
          {`Shown as received: JSON with more than ${budget.depth} levels or ${budget.jsonLines.toLocaleString('en')} lines is not formatted.`}
        </p>
      )}
      <CutNote rows={rows} onMore={() => setPortions(portions + 1)} />
    </>
  );
}

const allOpen = () => true;

/** Says how much is shown, if that is not all. */
export function CutNote({ rows, onMore }: { readonly rows: Rows; readonly onMore: () => void }) {
  if (!rows.isCut) return null;
  const lines = rows.rows.filter(({ isContinued }) => !isContinued).length;
  return (
    <p className="rb-note">
      {lines > 1
        ? plural(lines, ['Showing the first line.', 'Showing the first # lines.'])
        : plural(rows.characters, [
            'Showing the first character of one line.',
            'Showing the first # characters of one line.',
          ])}{' '}
      <Button size="compact-xs" variant="light" onClick={onMore}>
        Show more
      </Button>
    </p>
  );
}

type BeginningProps = {
  reason: 'deadline' | 'error';
  label: string;
  source: Source;
  maxHeight: number | undefined;
};

function Beginning({ reason, label, source, maxHeight }: Readonly<BeginningProps>) {
  const rows = useMemo(() => textRows('text' in source ? source.text : source.base64, rowBudget(1)), [source]);
  return (
    <>
      <p className="rb-notice" data-tone="warn" role="alert">
        {reason === 'deadline'
          ? `Couldn’t format this text within ${budget.workerMs / 1000} s.`
          : 'Couldn’t format this text: the viewer’s worker failed.'}{' '}
        {'text' in source
          ? 'Showing the first part as received. Use Copy to get the whole text.'
          : 'Showing the first part in base64. Use Save or Copy to get everything.'}
      </p>
      <RowsView rows={rows} label={label} maxHeight={maxHeight} />
    </>
  );
}

/** Stays empty for half a second, so that quick results do not flicker. */
export function Working({ length }: { readonly length: number }) {
  const [since] = useState(() => Date.now());
  const isSlow = useIsSlow({ state: 'loading', since });
  return (
    <div className={`rb-row rb-sunken rb-note ${classes.working}`} role="status">
      {isSlow && (
        <>
          <Loader size={16} /> {`Formatting ${formatSize(length)}…`}
        </>
      )}
    </div>
  );
}
