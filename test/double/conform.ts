// The compiler refuses any name in the double that Electron does not have. What the double keeps to itself stands under the
// symbol `inside`, which is no name. (That main code calls these names as Electron declares them, electron.d.ts checks.)
import type * as Electron from 'electron';
import type { electron } from './electron.ts';

type Double = typeof electron;
type Instance<Name extends keyof Double> = Double[Name] extends abstract new (...args: never) => infer Made
  ? Made
  : never;
type Extra<Ours, Theirs> = Exclude<Extract<keyof Ours, string>, keyof Theirs>;

/** Takes no argument where every name exists; otherwise the compiler asks for the names that do not. */
function conforms<Ours, Theirs>(
  ..._invented: [Extra<Ours, Theirs>] extends [never] ? [] : [Extra<Ours, Theirs>]
): void {}

conforms<Double, typeof Electron>();

conforms<Double['app'], Electron.App>();
conforms<Double['clipboard'], Electron.Clipboard>();
conforms<Double['dialog'], Electron.Dialog>();
conforms<Double['ipcMain'], Electron.IpcMain>();
conforms<Double['nativeImage'], (typeof Electron)['nativeImage']>();
conforms<Double['nativeTheme'], Electron.NativeTheme>();
conforms<Double['powerMonitor'], Electron.PowerMonitor>();
conforms<Double['protocol'], Electron.Protocol>();
conforms<Double['safeStorage'], Electron.SafeStorage>();
conforms<Double['screen'], Electron.Screen>();
conforms<Double['session'], (typeof Electron)['session']>();
conforms<Double['session']['defaultSession'], Electron.Session>();
conforms<Double['shell'], Electron.Shell>();
conforms<Double['utilityProcess'], (typeof Electron)['utilityProcess']>();
conforms<ReturnType<Double['utilityProcess']['fork']>, Electron.UtilityProcess>();

conforms<Instance<'BrowserWindow'>, Electron.BrowserWindow>();
conforms<Instance<'BrowserWindow'>['webContents'], Electron.WebContents>();
conforms<Instance<'BrowserWindow'>['webContents']['mainFrame'], Electron.WebFrameMain>();
conforms<Instance<'MessageChannelMain'>, Electron.MessageChannelMain>();
conforms<Instance<'MessageChannelMain'>['port1'], Electron.MessagePortMain>();
conforms<Instance<'Menu'>, Electron.Menu>();
conforms<Instance<'MenuItem'>, Electron.MenuItem>();
conforms<Instance<'Notification'>, Electron.Notification>();
conforms<Instance<'Tray'>, Electron.Tray>();
