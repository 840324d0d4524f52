// What `electron` is in a process of the double: run-main.ts makes a module of it.
import { type App, app } from './app.ts';
import { BrowserWindow } from './browser-window.ts';
import * as desktop from './desktop.ts';
import { ipcMain } from './ipc-main.ts';
import { MessageChannelMain } from './message-channel.ts';
import { safeStorage } from './safe-storage.ts';
import { protocol, session } from './session.ts';
import { utilityProcess } from './utility-process.ts';

type ElectronDouble = typeof desktop & {
  app: App;
  BrowserWindow: typeof BrowserWindow;
  ipcMain: typeof ipcMain;
  MessageChannelMain: typeof MessageChannelMain;
  safeStorage: typeof safeStorage;
  protocol: typeof protocol;
  session: typeof session;
  utilityProcess: typeof utilityProcess;
};

export const electron: ElectronDouble = {
  app,
  BrowserWindow,
  ...desktop,
  ipcMain,
  MessageChannelMain,
  safeStorage,
  protocol,
  session,
  utilityProcess,
};
