// The find bar's behavior. Its page (renderer/public/find-bar.html) has no scripts; this preload runs in an isolated world
// and passes what the user typed to electron/windows/find-bar.ts.
import { ipcRenderer } from 'electron';

/** The same messages as in electron/windows/find-bar.ts; a preload is one file and can't import them. */
type FindRequest = { text: string; isForward: boolean; isNext: boolean };
type FindResult = { text: string; active: number; matches: number };

window.addEventListener('DOMContentLoaded', () => {
  const input = document.querySelector('input');
  const output = document.querySelector('output');
  if (!input || !output) return;

  const find = (isForward: boolean, isNext: boolean) => {
    const request: FindRequest = { text: input.value, isForward, isNext };
    if (input.value === '') output.value = '';
    ipcRenderer.send('find-bar:find', request);
  };
  const close = () => ipcRenderer.send('find-bar:close');
  const press = (name: string, run: () => void) =>
    document.querySelector(`button[name=${name}]`)?.addEventListener('click', run);

  input.addEventListener('input', () => find(true, false));
  press('previous', () => find(false, true));
  press('next', () => find(true, true));
  press('close', close);
  document.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault());
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target === input) find(!event.shiftKey, true);
  });
  ipcRenderer.on('find-bar:found', (_event, { text, active, matches }: FindResult) => {
    if (text === input.value) output.value = matches === 0 ? 'No matches' : `${active} of ${matches}`;
  });
  ipcRenderer.on('find-bar:focus', () => {
    input.focus();
    input.select();
  });
});
