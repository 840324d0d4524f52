// A dialog in which people type: Escape, a click beside it and its cross ask before what was typed is lost. Its own Cancel
// button is an answer, so that one does not ask.
import { Button } from '@mantine/core';
import { type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Dialog } from './Dialog.tsx';
import { FormFrameContext } from '../hooks/use-unsaved.ts';

type Props = { title: string; onClose: () => void; size?: string; children: ReactNode };

export function FormDialog({ onClose, children, ...dialog }: Readonly<Props>) {
  const unsaved = useRef(new Set<string>());
  /** What follows once it is closed, while the question is open. */
  const [asked, setAsked] = useState<{ next: (() => void) | undefined } | null>(null);
  const report = useCallback((form: string, isUnsaved: boolean) => {
    if (isUnsaved) unsaved.current.add(form);
    else unsaved.current.delete(form);
  }, []);
  const finish = useCallback(
    (then?: () => void) => {
      onClose();
      then?.();
    },
    [onClose],
  );
  const close = useCallback(
    (then?: () => void) => (unsaved.current.size > 0 ? setAsked({ next: then }) : finish(then)),
    [finish],
  );
  const frame = useMemo(() => ({ report, close, cancel: onClose }), [report, close, onClose]);
  return (
    <>
      <Dialog {...dialog} onClose={() => close()} isCovered={asked !== null}>
        <FormFrameContext value={frame}>{children}</FormFrameContext>
      </Dialog>
      {asked && (
        <ConfirmDialog
          title="Discard changes?"
          confirmLabel="Discard"
          cancelLabel="Keep editing"
          onConfirm={() => finish(asked.next)}
          onClose={() => setAsked(null)}
        >
          Your changes in “{dialog.title}” haven’t been saved.
        </ConfirmDialog>
      )}
    </>
  );
}

/** The buttons of its form: Cancel, and those of its task. */
export function FormButtons({ children }: { readonly children: ReactNode }) {
  const { cancel } = useContext(FormFrameContext);
  return (
    <div className="rb-buttons">
      <Button variant="subtle" onClick={cancel}>
        Cancel
      </Button>
      {children}
    </div>
  );
}
