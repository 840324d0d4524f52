// `node scripts/see-window.mjs`: waits until the system itself, not the app, reports a visible window of Rainbell. For the workflow
// .github/workflows/desktop.yml, which runs `npm start` as a user would.
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

/** A first start downloads Electron and builds the app. */
const limitMs = 300_000;

// Needs no permission, unlike System Events. In a checkout the program is Electron's own.
const macWindows = `ObjC.import('CoreGraphics');
const list = ObjC.castRefToObject($.CGWindowListCopyWindowInfo($.kCGWindowListOptionOnScreenOnly, 0));
const seen = [];
for (let index = 0; index < list.count; index += 1) {
  const window = list.objectAtIndex(index);
  if (Number(ObjC.unwrap(window.objectForKey('kCGWindowLayer'))) === 0) seen.push(ObjC.unwrap(window.objectForKey('kCGWindowOwnerName')));
}
seen.filter((owner) => owner === 'Electron' || owner === 'Rainbell').join();`;
const windowsTitles =
  "(Get-Process | Where-Object { $_.MainWindowTitle -like '*Rainbell*' } | ForEach-Object { $_.MainWindowTitle }) -join ','";

/** Returns what the system says about visible windows of Rainbell; empty if it shows none. */
function visibleWindows() {
  if (process.platform === 'darwin') return run('osascript', ['-l', 'JavaScript', '-e', macWindows]);
  if (process.platform === 'win32') return run('powershell', ['-NoProfile', '-Command', windowsTitles]);
  if (!process.env['WAYLAND_DISPLAY']) return run('xdotool', ['search', '--onlyvisible', '--name', 'Rainbell']);
  const isShown = /"name": "[^"]*Rainbell[^"]*"/.exec(run('swaymsg', ['-t', 'get_tree', '-r']));
  return isShown?.[0] ?? '';
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
function run(program, args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (error) {
    // xdotool ends with 1 if it finds no window.
    const { code, stdout = '' } = /** @type {{ code?: string, stdout?: string }} */ (error);
    if (code === 'ENOENT') throw error;
    return stdout.trim();
  }
}

const startedAt = performance.now();
for (;;) {
  const seen = visibleWindows();
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  if (seen !== '') {
    console.log(`A window of Rainbell is visible after ${seconds} s (${seen}).`);
    break;
  }
  if (performance.now() - startedAt > limitMs) {
    console.error(`error: no window of Rainbell is visible after ${seconds} s.`);
    process.exitCode = 1;
    break;
  }
  await pause(1000);
}
