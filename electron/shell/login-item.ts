// Opening Rainbell when the user logs in. Windows and macOS keep a list of login items; on Linux, desktops start every
// .desktop file of the autostart folder (https://specifications.freedesktop.org/autostart-spec/latest/).
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import { appImageOf } from '../system/app-image.ts';
import { hiddenFlag } from '../system/launch.ts';

export type LoginChoice = { opensAtLogin: boolean; startsHidden: boolean };

export function createLoginItem({ platform = process.platform, env = process.env } = {}) {
  const isSupported = app.isPackaged && ['linux', 'darwin', 'win32'].includes(platform);
  return {
    /** False in a checkout, because the program to start is Electron itself. */
    isSupported,
    /** Adds or removes the login item. Throws the system's error if it can't be written. */
    set({ opensAtLogin, startsHidden }: LoginChoice) {
      if (!isSupported) return;
      if (platform === 'linux') writeAutostart({ opensAtLogin, startsHidden }, env);
      // macOS passes no arguments to login items; the app asks `wasOpenedAtLogin` instead.
      else app.setLoginItemSettings({ openAtLogin: opensAtLogin, args: startsHidden ? [hiddenFlag] : [] });
    },
    /** For the start: updates the path, because an AppImage may have moved. Doesn't add an item that the user removed. */
    refresh(choice: LoginChoice) {
      if (isSupported && platform === 'linux' && choice.opensAtLogin && existsSync(autostartFile(env)))
        writeAutostart(choice, env);
    },
    /** Whether the system started this process at login. Only macOS reports it; elsewhere `--hidden` is on the command line. */
    wasOpenedAtLogin: (): boolean =>
      isSupported && platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin,
  };
}

type Environment = Record<string, string | undefined>;

function autostartFile(env: Environment): string {
  return join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'autostart', 'rainbell.desktop');
}

function writeAutostart({ opensAtLogin, startsHidden }: LoginChoice, env: Environment): void {
  const file = autostartFile(env);
  if (!opensAtLogin) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  const program = appImageOf(env) ?? process.execPath;
  const command = [program, ...(startsHidden ? [hiddenFlag] : [])].map(quoteArgument).join(' ');
  const lines = ['[Desktop Entry]', 'Type=Application', 'Name=Rainbell', `Exec=${command}`, 'Terminal=false'];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
}

/** See https://specifications.freedesktop.org/desktop-entry-spec/latest/exec-variables.html. */
function quoteArgument(argument: string): string {
  // The value is unescaped twice: as a string of the file, then as a quoted argument.
  const quoted = argument.replaceAll('%', '%%').replaceAll(/["`$\\]/g, String.raw`\$&`);
  return `"${quoted.replaceAll('\\', '\\\\')}"`;
}
