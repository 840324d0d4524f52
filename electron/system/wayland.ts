// Whether windows are Wayland's.
import { app } from 'electron';

/** As Electron chooses: https://github.com/electron/electron/blob/main/docs/breaking-changes.md (38.0, `--ozone-platform`). */
export function isWayland(): boolean {
  if (process.platform !== 'linux') return false;
  const chosen = app.commandLine.getSwitchValue('ozone-platform');
  return chosen === 'wayland' || (chosen !== 'x11' && process.env['XDG_SESSION_TYPE'] === 'wayland');
}
