// The exchanges, newest first.
import { useApp } from '../../store/use-app.ts';
import { plural, visibleText } from '@rainbell/shared';
import { formatSize } from '../../ui/text/durations.ts';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { LogList } from '../../widgets/LogList.tsx';
import { useLogTimes } from '../../widgets/use-log-times.ts';
import styles from '../../ui/controls/LogList.module.css';

// The time with milliseconds and AM or PM fits into the first.
const gridTemplateColumns = 'minmax(88px, 128px) minmax(120px, 1fr) 44px 60px 60px';

export function TrafficList() {
  const { rows, total, isWhole, selectedId, select, loadOlder } = useApp((state) => state.traffic);
  const times = useLogTimes();
  const stored = (total ?? 0).toLocaleString('en');
  return (
    <LogList
      cardLabel="Requests"
      label="Requests, newest first"
      gridTemplateColumns={gridTemplateColumns}
      head={
        <>
          <span>Sent</span>
          <span>Request</span>
          <span className={styles.number}>Status</span>
          <span className={styles.number}>Size</span>
          <span className={styles.number}>Duration</span>
        </>
      }
      rows={rows}
      idOf={({ id }) => id}
      selectedId={selectedId}
      readCount={rows.length}
      isWhole={isWhole}
      onChoose={({ id }) => void select(id)}
      onEnd={loadOlder}
      footer={
        isWhole && rows.length !== total
          ? plural(rows.length, ['{stored} stored, # matches the filter', '{stored} stored, # match the filter'], {
              stored,
            })
          : plural(total ?? 0, ['# stored', '# stored'])
      }
    >
      {(row) => (
        <>
          <span className="rb-mono rb-truncate" title={times.dayClock(Date.parse(row.at))}>
            {times.clockMilliseconds(Date.parse(row.at))}
          </span>
          <span className="rb-mono rb-truncate" title={visibleText(`${row.connectionName}: ${row.url}`)}>
            <b className="rb-tone" data-tone={row.method === 'POST' ? 'good' : 'accent'}>
              {row.method}
            </b>{' '}
            <ForeignText text={pathOf(row.url)} limit={300} />
          </span>
          <span className={styles.number} data-bad={row.status === null || row.status >= 400 || undefined}>
            {row.status ?? <>none</>}
          </span>
          <span className={styles.number}>{formatSize(row.sizeBytes)}</span>
          <span className={styles.number}>{Math.round(row.tookMs)} ms</span>
        </>
      )}
    </LogList>
  );
}

function pathOf(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.pathname}${url.search}` : address;
}
