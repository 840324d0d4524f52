// One callback in the list.
import { IconCheck, IconFileImport, IconNote } from '@tabler/icons-react';
import { type CSSProperties, memo } from 'react';
import type { RefusalReason } from '#contract/app-rpc/callback-outcome.ts';
import type { CallbackSummary } from '#contract/app-rpc/callbacks.ts';
import styles from '#renderer/ui/controls/LogList.module.css';
import { formatSize } from '#renderer/ui/text/durations.ts';
import { formatShortOutcome, isBadOutcome } from '#renderer/features/callbacks/common/outcome-text.ts';
import { ForeignText } from '#renderer/ui/text/ForeignText.tsx';
import { visibleText } from '#shared/text/visible-text.ts';
import type { ZonedTimes } from '#renderer/ui/text/zoned-times.ts';
import classes from './CallbackList.module.css';
import { type ListColumn, formatMonitor } from './list-columns.ts';

type Props = {
  row: CallbackSummary;
  times: ZonedTimes;
  columns: readonly ListColumn[];
  /** Names that the person gave to monitors, by id. */
  names: ReadonlyMap<string, string>;
  isChosen: boolean;
  isUnread: boolean;
  isMarked: boolean;
  onMark: () => void;
  style: CSSProperties;
  place: number;
  total: number;
  onChoose: () => void;
};

export function CallbackRow(props: Readonly<Props>) {
  const { row, times, columns, isChosen, isMarked, onMark, style, place, total, onChoose } = props;
  return (
    // The list itself takes the keys and names the chosen row.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={`rb-callback-${row.id}`}
      className={styles.row}
      role="option"
      aria-selected={isChosen}
      aria-checked={isMarked}
      data-unread={props.isUnread || undefined}
      aria-posinset={place + 1}
      aria-setsize={total}
      style={style}
      onClick={onChoose}
    >
      {/* For the mouse; keys mark by the space bar, and the row itself says that it is marked. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <span
        className={classes.mark}
        data-on={isMarked || undefined}
        onClick={(event) => {
          event.stopPropagation();
          onMark();
        }}
      >
        {isMarked && <IconCheck size={13} stroke={3} aria-hidden />}
      </span>
      {props.isUnread && <span className="rb-hidden">unread</span>}
      <Cells row={row} times={times} columns={columns} names={props.names} />
    </div>
  );
}

/** Kept as they are while a row only moves. */
const Cells = memo(function Cells({ row, times, columns, names }: Pick<Props, 'row' | 'times' | 'columns' | 'names'>) {
  const at = Date.parse(row.receivedAt);
  return (
    <>
      <span className="rb-mono rb-truncate" title={times.dayClock(at)}>
        {times.clockMilliseconds(at)}
      </span>
      {columns.map((column) => (
        <Cell key={column} column={column} row={row} names={names} />
      ))}
    </>
  );
});

type CellProps = { column: ListColumn; row: CallbackSummary; names: ReadonlyMap<string, string> };

function Cell({ column, row, names }: Readonly<CellProps>) {
  switch (column) {
    case 'monitor':
      return (
        <span
          className={`rb-truncate ${row.monitorId === null ? styles.dim : classes.monitor}`}
          title={row.monitorId === null ? undefined : visibleText(row.monitorId)}
        >
          <ForeignText text={formatMonitor(row, names)} limit={120} />
        </span>
      );
    case 'request':
      return (
        <span className="rb-mono rb-truncate" title={visibleText(row.target)}>
          {row.refusal && (
            <span className={styles.dim}>
              {refusalNames[row.refusal.reason]}
              {row.refusal.count > 1 && ` ×${row.refusal.count.toLocaleString('en')}`}{' '}
            </span>
          )}
          <b className={styles.method} data-method={row.method}>
            {row.method}
          </b>{' '}
          <ForeignText text={row.target} limit={300} />
        </span>
      );
    case 'sender':
      return <span className="rb-mono rb-truncate">{row.remoteAddress}</span>;
    case 'check':
      return <Check row={row} />;
    case 'size':
      return <span className={styles.number}>{formatSize(row.sizeBytes)}</span>;
    case 'answer':
      return (
        <span className={styles.number} data-bad={isBadOutcome(row) || undefined} data-outcome={row.outcome.kind}>
          {formatShortOutcome(row)}
        </span>
      );
  }
}

function Check({ row }: Pick<CellProps, 'row'>) {
  const { words, tone } = formatVerdict(row);
  return (
    <span className={classes.check}>
      {words !== '' && (
        <span className={classes.verdict} data-tone={tone}>
          {words}
        </span>
      )}
      {row.hasNote && <IconNote size={14} aria-label="has a note" />}
      {row.isImported && <IconFileImport size={14} aria-label="came from a file" />}
    </span>
  );
}

const refusalNames: Readonly<Record<RefusalReason, string>> = {
  'head-too-long': 'Headers too long',
  malformed: 'Not valid HTTP',
  'unexpected-expectation': 'Unknown Expect',
  connect: 'CONNECT',
  'no-token': 'No token',
  'http-on-https': 'http on the https port',
  'tls-on-http': 'https on the http port',
  'tls-handshake': 'TLS handshake failed',
  pipelining: 'Too many at once',
  timeout: 'Too slow',
  unfinished: 'Not finished',
  'too-many': 'Too busy',
};

type VerdictTone = 'good' | 'warn' | 'bad' | 'plain';

/** What stands in the list's column “Check”. */
function formatVerdict({ verdict, kind }: Pick<CallbackSummary, 'verdict' | 'kind'>): {
  words: string;
  tone: VerdictTone;
} {
  if (kind === 'refused') return { words: 'refused', tone: 'bad' };
  if (verdict === 'error') return { words: 'broken', tone: 'bad' };
  if (verdict === 'warning') return { words: 'warning', tone: 'warn' };
  if (kind === 'other') return { words: '', tone: 'plain' };
  if (kind === 'test') return { words: 'test', tone: 'plain' };
  if (kind === 'retry') return { words: 'retry', tone: 'plain' };
  return verdict === 'ok' ? { words: 'valid', tone: 'good' } : { words: 'unknown', tone: 'plain' };
}
