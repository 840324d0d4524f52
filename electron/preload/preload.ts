// Runs in every screen before the page, in a world of its own, and passes one MessagePort to it: the line to core. The
// page gets nothing else; no API is exposed. Bundled into one CommonJS file, as a sandboxed preload must be.
import { ipcRenderer } from 'electron';

const channel = 'rainbell-port';

ipcRenderer.on(channel, (event) => {
  window.postMessage(channel, '/', event.ports);
});

// The page listens from its first script on, and those have run when it is loaded.
window.addEventListener('load', () => ipcRenderer.postMessage(channel, null));
