// Two callbacks beside each other in one text: what only the older has, what only the newer has, and what both share.
import { useEffect, useMemo } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import { Dialog } from '#renderer/ui/Dialog.tsx';
import { RequestNotice } from '#renderer/ui/RequestNotice.tsx';
import { ScrollRegion } from '#renderer/ui/ScrollRegion.tsx';
import { durationWords } from '#renderer/ui/durations.ts';
import { differencesOf } from './differences.ts';
import classes from './CompareDialog.module.css';

const marks = { same: ' ', gone: '−', new: '+' } as const;
const spoken = { same: '', gone: 'only in the older: ', new: 'only in the newer: ' } as const;

type Props = { olderId: number; newerId: number; onClose: () => void };

export function CompareDialog({ olderId, newerId, onClose }: Readonly<Props>) {
  const { compared, comparing, compare } = useApp((state) => state.callbackCompare);
  useEffect(() => void compare(olderId, newerId), [compare, olderId, newerId]);
  const isThis = compared?.older.id === olderId && compared.newer.id === newerId;
  const lines = useMemo(
    () => (compared && isThis ? differencesOf(compared.older, compared.newer) : []),
    [compared, isThis],
  );
  const differing = lines.filter(({ kind }) => kind !== 'same').length;
  return (
    <Dialog title={`Callback ${newerId} beside ${olderId}`} size="xl" onClose={onClose}>
      <RequestNotice
        request={comparing}
        failedTitle="The callbacks could not be read"
        loadingWords="Reading…"
        onRetry={() => void compare(olderId, newerId)}
      />
      {compared && isThis && (
        <>
          <p role="status">
            {differing === 0 ? 'Nothing differs' : `${differing} lines differ`}; the newer came{' '}
            {durationWords(Date.parse(compared.newer.receivedAt) - Date.parse(compared.older.receivedAt))} later.
          </p>
          <ScrollRegion className={classes.frame} label="Differences">
            <pre className={classes.text}>
              {lines.map(({ kind, text }, index) => (
                // Lines have no identity but their place, and the text never changes in part.
                // oxlint-disable-next-line react/no-array-index-key
                <span key={index} className={classes.line} data-kind={kind}>
                  <span className={classes.hidden}>{spoken[kind]}</span>
                  <span aria-hidden="true">{marks[kind]} </span>
                  {text}
                  {'\n'}
                </span>
              ))}
            </pre>
          </ScrollRegion>
        </>
      )}
    </Dialog>
  );
}
