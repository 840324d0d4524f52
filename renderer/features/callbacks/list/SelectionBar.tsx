// The actions for the selected callbacks, or for all that a search finds. Empty while nothing is selected and no search found any.
import { Button, CloseButton } from '@mantine/core';
import { IconGitCompare, IconSend, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { CallbackChoice } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { FormDialog } from '../../../ui/dialogs/FormDialog.tsx';
import { plural } from '@rainbell/shared';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import { rowCount } from '../common/callback-log.ts';
import { ReplayBar, ReplayForm } from '../send/ReplayMany.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { DifferencesView } from '../../../viewers/DifferencesView.tsx';

type Props = {
  /** Whether the confirmation is open; the Delete key opens it, too. */
  isConfirming: boolean;
  setConfirming: (isConfirming: boolean) => void;
};

type Chosen = { choice: CallbackChoice; count: number };

export function SelectionBar(props: Readonly<Props>) {
  const [replayed, setReplayed] = useState<Chosen | null>(null);
  // The dialog stays while its own replays make the search look again, which empties the bar.
  return (
    <>
      <Actions {...props} onReplay={setReplayed} />
      {replayed ? (
        <FormDialog
          title={plural(replayed.count, ['Replay # callback', 'Replay # callbacks'])}
          size="xl"
          onClose={() => setReplayed(null)}
        >
          <ReplayForm choice={replayed.choice} />
        </FormDialog>
      ) : (
        <ReplayBar />
      )}
    </>
  );
}

type ActionsProps = Props & { onReplay: (chosen: Chosen) => void };

function Actions({ isConfirming, setConfirming, onReplay }: Readonly<ActionsProps>) {
  const { selected, allThroughId, allCount, clear, remove, deleting } = useApp((state) => state.callbackSelection);
  const { filter, isWhole, found, throughId } = useApp((state) => state.callbackSearch);
  const [isComparing, setComparing] = useState(false);
  // An invalid term is ignored in the list, so "all matches" would select more than the user typed.
  const isFound = useApp(({ callbackSearch: { log: matches, problems, version } }) => {
    return version >= 0 && problems.length === 0 && rowCount(matches) > 0;
  });
  const isAll = allThroughId !== null;
  if (selected.size === 0 && !isAll && (isWhole || !isFound)) return null;
  // Until it is counted, nothing can be named, so nothing can be deleted.
  const count = selected.size > 0 ? selected.size : isAll ? allCount : found;
  const choice: CallbackChoice =
    selected.size > 0
      ? { kind: 'ids', ids: [...selected] }
      : { kind: 'query', ...filter, throughId: allThroughId ?? throughId };
  // A search can match many more than are in view, so confirm first.
  const onDelete = () => (selected.size > 0 ? void remove(choice) : setConfirming(true));
  const [first, second] = [...selected].toSorted((one, other) => one - other);
  const deleteLabel = count === null ? 'Delete callbacks' : plural(count, ['Delete # callback', 'Delete # callbacks']);
  return (
    <div className="rb-bar rb-wrap rb-chosen" role="toolbar" aria-label="Selected callbacks">
      <span>{selected.size > 0 ? plural(selected.size, ['# selected', '# selected']) : describeAll(count, isAll)}</span>
      <span className="rb-fill" />
      {selected.size === 2 && (
        <Button leftSection={<IconGitCompare />} onClick={() => setComparing(true)}>
          Compare
        </Button>
      )}
      <Button
        leftSection={<IconSend />}
        disabled={!count}
        onClick={() => count !== null && onReplay({ choice, count })}
      >
        Replay…
      </Button>
      <ExportMenu choose={() => choice} />
      <Button leftSection={<IconTrash />} loading={deleting.state === 'loading'} disabled={!count} onClick={onDelete}>
        {deleteLabel}
      </Button>
      {(selected.size > 0 || isAll) && <CloseButton size="sm" aria-label="Clear the selection" onClick={clear} />}
      <RequestNotice request={deleting} failedTitle="Couldn’t delete the callbacks" />
      {isComparing && first !== undefined && second !== undefined && (
        <CompareDialog olderId={first} newerId={second} onClose={() => setComparing(false)} />
      )}
      {isConfirming && count !== null && (
        <ConfirmDialog
          title={plural(count, ['Delete # callback?', 'Delete # callbacks?'])}
          confirmLabel={deleteLabel}
          onConfirm={() => remove(choice)}
          onClose={() => setConfirming(false)}
        >
          This includes callbacks that aren’t loaded. You can undo this for 8 seconds.
        </ConfirmDialog>
      )}
    </div>
  );
}

/** `count`: null until it is counted. */
function describeAll(count: number | null, isSelected: boolean): string {
  if (count === null) return isSelected ? 'All selected' : 'All matches';
  return isSelected ? plural(count, ['# selected', 'All # selected']) : plural(count, ['# match', 'All # matches']);
}

type CompareProps = { olderId: number; newerId: number; onClose: () => void };

function CompareDialog({ olderId, newerId, onClose }: Readonly<CompareProps>) {
  const { compared, comparing, compare } = useApp((state) => state.callbackSelection);
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
      {compared && isThis && <DifferencesView {...compared} />}
    </Dialog>
  );
}
