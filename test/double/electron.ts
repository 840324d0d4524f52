// What `electron` is in a process of the double: run-main.ts makes a module of it.
import { app } from './app.ts';
import { BrowserWindow } from './browser-window.ts';
import * as desktop from './desktop.ts';
import { ipcMain } from './ipc-main.ts';
import { MessageChannelMain } from './message-channel.ts';
import { safeStorage } from './safe-storage.ts';
import { protocol, session } from './session.ts';
import { utilityProcess } from './utility-process.ts';

export const electron = {
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
