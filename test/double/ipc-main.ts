// ipcMain: every page's messages arrive here (web-contents.ts emits them).
import { EventEmitter } from 'node:events';

class IpcMain extends EventEmitter {}

export const ipcMain = new IpcMain();
