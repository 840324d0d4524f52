// Two callbacks beside each other.
import { useEffect } from 'react';
import { useApp } from '../../../store/use-app.ts';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { plural } from '@rainbell/shared';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import { formatDuration } from '../../../ui/text/durations.ts';
import { DifferencesView } from '../../../viewers/DifferencesView.tsx';

type Props = { olderId: number; newerId: number; onClose: () => void };

export function CompareDialog({ olderId, newerId, onClose }: Readonly<Props>) {
  const { compared, comparing, compare } = useApp((state) => state.callbackCompare);
  useEffect(() => void compare(olderId, newerId), [compare, olderId, newerId]);
  const isThis = compared?.older.id === olderId && compared.newer.id === newerId;
  return (
    <Dialog title={`Compare callbacks ${olderId} and ${newerId}`} size="xl" onClose={onClose}>
      <RequestNotice
        request={comparing}
        failedTitle="Couldn’t load the callbacks"
        loadingText="Loading both callbacks"
        onRetry={() => void compare(olderId, newerId)}
      />
      {compared && isThis && (
        <DifferencesView
          label="Differences"
          older={compared.older}
          newer={compared.newer}
          sides={{ gone: 'Only in the older callback', new: 'Only in the newer callback' }}
          summary={(differing) => {
            const later = formatDuration(Date.parse(compared.newer.receivedAt) - Date.parse(compared.older.receivedAt));
            return `${formatDifferenceCount(differing)} The newer callback (+) arrived ${later} after the older one (−).`;
          }}
        />
      )}
    </Dialog>
  );
}

function formatDifferenceCount(differing: number): string {
  return differing === 0 ? 'No lines differ.' : plural(differing, ['# line differs.', '# lines differ.']);
}
