// Opens developer tools by their usual keys in a window without a menu.
import type { WebContents } from 'electron';

export function allowDeveloperTools(contents: WebContents): void {
  contents.on('before-input-event', (event, { type, code, control, shift, meta, alt }) => {
    if (type !== 'keyDown') return;
    const isShortcut =
      code === 'F12' || (code === 'KeyI' && (process.platform === 'darwin' ? meta && alt : control && shift));
    if (!isShortcut) return;
    event.preventDefault();
    contents.toggleDevTools();
  });
}
