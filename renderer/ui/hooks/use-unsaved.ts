// How a form reports unsaved input to the dialog around it, and closes that dialog after a confirmation.
import { createContext, useContext, useEffect, useId, useState } from 'react';

export type FormFrame = {
  report: (form: string, isUnsaved: boolean) => void;
  /** `then` runs once it is closed. */
  close: (then?: () => void) => void;
  /** Closes it at once. */
  cancel: () => void;
};

export const FormFrameContext = createContext<FormFrame>({ report: () => {}, close: () => {}, cancel: () => {} });

/**
 * While the form's values differ from the initial ones, or from `saved` if something was sent or saved since, the dialog confirms
 * before it closes. Values are compared as JSON.
 */
export function useUnsaved(values: unknown, saved?: unknown): void {
  const { report } = useContext(FormFrameContext);
  const form = useId();
  const now = JSON.stringify(values);
  const [initial] = useState(now);
  const isUnsaved = now !== (saved === undefined ? initial : JSON.stringify(saved));
  useEffect(() => {
    report(form, isUnsaved);
    return () => report(form, false);
  }, [report, form, isUnsaved]);
}

/** For links and buttons that leave a form: confirms like Escape does. */
export function useFormClose(): FormFrame['close'] {
  return useContext(FormFrameContext).close;
}
