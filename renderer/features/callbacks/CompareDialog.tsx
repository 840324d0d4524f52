// Two callbacks beside each other.
import { useEffect, useMemo } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import { Dialog } from '#renderer/ui/Dialog.tsx';
import { RequestNotice } from '#renderer/ui/RequestNotice.tsx';
import { durationWords } from '#renderer/ui/durations.ts';
import { DifferenceLines } from './DifferenceLines.tsx';
import { differencesOf } from './differences.ts';

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
          <DifferenceLines label="Differences" lines={lines} names={{ gone: 'the older', new: 'the newer' }} />
        </>
      )}
    </Dialog>
  );
}
