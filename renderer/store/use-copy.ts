// Copies a text for a command, and says so: a command has no button that could show a check mark.
import { useAppStore } from './use-app.ts';

/** Returns the function that copies `text`, and then shows `message`, for instance `Summary copied`. */
export function useCopy(): (copied: { text: string; message: string }) => void {
  const store = useAppStore();
  return ({ text, message }) => {
    const { show } = store.getState().toasts;
    navigator.clipboard.writeText(text).then(
      () => show({ tone: 'good', message, seconds: 3 }),
      () => show({ tone: 'bad', message: 'Couldn’t copy to the clipboard. Try again.' }),
    );
  };
}
