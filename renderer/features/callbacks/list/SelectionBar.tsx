// What can be done with the marked callbacks, or with all that a search found. Nothing stands here while nothing is marked
// and no search found any.
import { Button } from '@mantine/core';
import { IconGitCompare, IconTrash, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { CallbackChoice } from '#contract/app-rpc/callback-files.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { ConfirmDialog } from '#renderer/ui/dialogs/ConfirmDialog.tsx';
import { RequestNotice } from '#renderer/widgets/RequestNotice.tsx';
import { newestId, rowCount } from '#renderer/features/callbacks/common/callback-log.ts';
import { CompareDialog } from './CompareDialog.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import classes from './SelectionBar.module.css';

export function SelectionBar() {
  const { marked, unmarkAll, remove, deleting } = useApp((state) => state.callbackSelection);
  const query = useApp((state) => state.callbackSearch.query);
  const log = useApp((state) => state.callbacks.log);
  const [isComparing, setComparing] = useState(false);
  const [isAsking, setAsking] = useState(false);
  // A term that means nothing is left out of what is shown, so “all that are found” would not be what was asked for.
  const isFound = useApp(({ callbackSearch: { log: found, problems, version } }) => {
    return version >= 0 && problems.length === 0 && rowCount(found) > 0;
  });
  const count = useApp((state) => state.callbackSearch.found);
  const isSearch = query.trim() !== '';
  // Until it is counted, nothing can be named, so nothing can be deleted.
  const matches = count === null ? 'all matches' : count === 1 ? '1 match' : `${count.toLocaleString('en')} matches`;
  if (marked.size === 0 && !(isSearch && isFound)) return null;
  const choice: CallbackChoice =
    marked.size > 0 ? { kind: 'ids', ids: [...marked] } : { kind: 'query', query, throughId: newestId(log) };
  // A search can mean many more than are in view, so it asks first.
  const onDelete = () => (marked.size > 0 ? void remove(choice) : setAsking(true));
  const onConfirm = async () => {
    if (await remove(choice)) setAsking(false);
  };
  const [first, second] = [...marked].toSorted((one, other) => one - other);
  return (
    <div className={classes.bar} role="toolbar" aria-label="Marked callbacks">
      <span>
        {marked.size > 0
          ? `${marked.size.toLocaleString('en')} marked`
          : `All ${count === null ? '' : `${count.toLocaleString('en')} `}matches`}
      </span>
      <span className={classes.space} />
      {marked.size === 2 && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconGitCompare size={15} />}
          onClick={() => setComparing(true)}
        >
          Compare
        </Button>
      )}
      <ExportMenu choose={() => choice} size="xs" label="Export" />
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTrash size={15} />}
        loading={deleting.state === 'loading'}
        disabled={marked.size === 0 && count === null}
        onClick={onDelete}
      >
        Delete
      </Button>
      {marked.size > 0 && (
        <Button size="xs" variant="subtle" leftSection={<IconX size={15} />} onClick={unmarkAll}>
          Unmark
        </Button>
      )}
      <RequestNotice request={deleting} failedTitle="The callbacks were not deleted" />
      {isComparing && first !== undefined && second !== undefined && (
        <CompareDialog olderId={first} newerId={second} onClose={() => setComparing(false)} />
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={`Delete ${matches}?`}
        confirmLabel={`Delete ${matches}`}
        isBusy={deleting.state === 'loading'}
        onConfirm={() => void onConfirm()}
        onCancel={() => setAsking(false)}
      >
        Every callback that matches “{query.trim()}” is deleted, also those that are not loaded. You can undo for 8
        seconds.
      </ConfirmDialog>
    </div>
  );
}
