// How a form tells the dialog around it that something was typed, and how it closes that dialog with the question first.
import { createContext, useContext, useEffect, useId, useState } from 'react';

export type FormFrame = { mark: (form: string, isUnsaved: boolean) => void; close: () => void };

export const FormFrameContext = createContext<FormFrame>({ mark: () => {}, close: () => {} });

/**
 * While the form's values differ from those it began with, or from `kept` where something was sent or saved since, the dialog asks
 * before it closes. Values are compared as JSON.
 */
export function useUnsaved(values: unknown, kept?: unknown): void {
  const { mark } = useContext(FormFrameContext);
  const form = useId();
  const now = JSON.stringify(values);
  const [begun] = useState(now);
  const isUnsaved = now !== (kept === undefined ? begun : JSON.stringify(kept));
  useEffect(() => {
    mark(form, isUnsaved);
    return () => mark(form, false);
  }, [mark, form, isUnsaved]);
}

/** For what leads elsewhere from within a form: asks like Escape does. */
export function useFormClose(): () => void {
  return useContext(FormFrameContext).close;
}
