// Copies a text for a command, and says so: a command has no button that could show a check mark.
import { useAppStore } from './use-app.ts';

/** Returns the function that copies; `name` is what the message calls the text. */
export function useCopy(): (name: string, text: string) => void {
  const store = useAppStore();
  return (name, text) => {
    const { show } = store.getState().toasts;
    navigator.clipboard.writeText(text).then(
      () => show({ tone: 'good', message: `${name} is on the clipboard.`, seconds: 3 }),
      () => show({ tone: 'bad', message: 'The browser refused to copy.' }),
    );
  };
}
