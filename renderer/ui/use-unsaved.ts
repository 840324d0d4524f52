// How a form tells the dialog around it that something was typed.
import { createContext, useContext, useEffect, useId } from 'react';

export const UnsavedContext = createContext<(form: string, isUnsaved: boolean) => void>(() => {});

/** While the form's values differ from those it began with, the dialog asks before it closes. Values are compared as JSON. */
export function useUnsaved(values: unknown, begun: unknown): void {
  const mark = useContext(UnsavedContext);
  const form = useId();
  const isUnsaved = JSON.stringify(values) !== JSON.stringify(begun);
  useEffect(() => {
    mark(form, isUnsaved);
    return () => mark(form, false);
  }, [mark, form, isUnsaved]);
}
