// One callback in the list.
import { IconAlertTriangle, IconFileImport, IconNote } from '@tabler/icons-react';
import { type CSSProperties, memo, type MouseEvent } from 'react';
import { type CallbackSummary, type RefusalReason, verdictLabels } from '@rainbell/contract/app-rpc';
import styles from '../../../ui/controls/LogList.module.css';
import { formatSize } from '../../../ui/text/durations.ts';
import { formatMilliseconds, formatShortOutcome, isBadOutcome } from '../common/outcome-text.ts';
import { verdictLooks } from '../common/verdict-looks.ts';
import { ForeignLine } from '../../../ui/text/ForeignText.tsx';
import { visibleText } from '@rainbell/shared';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import classes from './CallbackList.module.css';
import { formatMonitor, type ListColumn } from './list-columns.ts';

type Props = {
  row: CallbackSummary;
  times: ZonedTimes;
  columns: readonly ListColumn[];
  names: ReadonlyMap<string, string>;
  isChosen: boolean;
  isUnread: boolean;
  isSelected: boolean;
  onSelect: () => void;
  style: CSSProperties;
  place: number;
  total: number;
  /** With the modifiers of the click. */
  onChoose: (event: MouseEvent) => void;
};

export function CallbackRow(props: Readonly<Props>) {
  const { row, times, columns, isChosen, isSelected, onSelect, style, place, total, onChoose } = props;
  return (
    // The list itself takes the keys and names the chosen row.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={`rb-callback-${row.id}`}
      className={`rb-list-row ${styles.row}`}
      role="option"
      aria-selected={isChosen}
      aria-checked={isSelected}
      data-unread={props.isUnread || undefined}
      data-refused={row.refusal !== null || undefined}
      data-outcome={row.outcome.kind}
      aria-posinset={place + 1}
      aria-setsize={total}
      style={style}
      onClick={onChoose}
    >
      {/* For the mouse; keys select with the space bar, and the row itself states whether it is selected. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <span
        className="rb-tick"
        data-on={isSelected || undefined}
        onClick={(event) => {
          event.stopPropagation();
          onSelect();
        }}
      />
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
    case 'number':
      return <span className={`${styles.number} rb-dim`}>{row.id.toLocaleString('en')}</span>;
    case 'method':
      return (
        <b className="rb-mono rb-truncate rb-tone" data-tone={row.method === 'POST' ? 'good' : 'accent'}>
          {row.method === '' ? '—' : row.method}
        </b>
      );
    case 'request':
      return (
        <span className="rb-mono rb-truncate" dir="ltr" title={visibleText(row.target)}>
          <ForeignLine text={row.target} limit={300} />
        </span>
      );
    case 'monitor': {
      const text = row.refusal ? formatRefusal(row.refusal) : formatMonitor(row, names);
      return (
        <span
          className={`rb-truncate ${row.isMonitorOwn || row.sender !== undefined ? 'rb-strong' : 'rb-dim'}`}
          dir="ltr"
          title={visibleText(row.monitorId ?? text)}
        >
          <ForeignLine text={text} limit={120} />
        </span>
      );
    }
    case 'sender':
      return <span className="rb-mono rb-truncate">{row.remoteAddress}</span>;
    case 'verdict':
      return <Verdict row={row} />;
    case 'answer':
      return (
        <span className={styles.number} data-bad={isBadOutcome(row) || undefined} data-outcome={row.outcome.kind}>
          {formatShortOutcome(row)}
        </span>
      );
    case 'took':
      return (
        <span className={`${styles.number} rb-dim`}>
          {row.outcome.afterMs === null ? '' : formatMilliseconds(row.outcome.afterMs)}
        </span>
      );
    case 'size':
      return <span className={`${styles.number} rb-dim`}>{formatSize(row.sizeBytes)}</span>;
  }
}

function Verdict({ row }: Pick<CellProps, 'row'>) {
  const name = row.verdictName;
  const { tone, Icon } = verdictLooks[name];
  return (
    <span className={`rb-medium rb-tone ${classes.verdict} rb-truncate`} data-tone={tone} title={verdictLabels[name]}>
      <Icon size={14} aria-hidden />
      {/* Its whole name would need a column that the path has no room beside. */}
      {name === 'signed' ? 'Not checked' : verdictLabels[name]}{' '}
      {name === 'verified' && row.verdict !== 'ok' && row.verdict !== 'unknown' && (
        <IconAlertTriangle size={13} aria-label="with a warning" />
      )}
      {row.hasNote && <IconNote size={13} aria-label="has a note" />}
      {row.isImported && <IconFileImport size={13} aria-label="imported from a file" />}
    </span>
  );
}

/** `Not valid HTTP ×12` */
function formatRefusal({ reason, count }: NonNullable<CallbackSummary['refusal']>): string {
  return count > 1 ? `${refusalNames[reason]} ×${count.toLocaleString('en')}` : refusalNames[reason];
}

const refusalNames: Readonly<Record<RefusalReason, string>> = {
  'head-too-long': 'Headers too long',
  malformed: 'Not valid HTTP',
  'unknown-method': 'Unknown method',
  'bad-target': 'Path not encoded',
  'bad-header': 'Invalid header',
  'bad-length': 'Invalid length',
  'unexpected-expectation': 'Unknown Expect header',
  connect: 'CONNECT',
  'no-token': 'No token',
  'http-on-https': 'HTTP on the HTTPS port',
  'tls-on-http': 'HTTPS on the HTTP port',
  'tls-handshake': 'TLS handshake failed',
  pipelining: 'Too many at once',
  timeout: 'Too slow',
  unfinished: 'Incomplete',
  'too-many': 'Too busy',
};
