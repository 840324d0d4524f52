// Gives a MessagePort to core only to the main frame of one of our own windows, and only if it shows one of our own pages.
import { ipcMain, type IpcMainEvent, MessageChannelMain, type MessagePortMain, type WebContents } from 'electron';
import type { Log } from '@rainbell/core';
import { isScreensAddress } from '../windows/app-scheme.ts';

const channel = 'rainbell-port';

type Options = {
  isScreenWindow: (contents: WebContents) => boolean;
  serve: (port: MessagePortMain) => void;
  log: Log;
};

export function serveScreenPorts({ isScreenWindow, serve, log }: Options): void {
  ipcMain.on(channel, (event) => {
    const refusal = refusalOf(event, isScreenWindow);
    if (refusal !== undefined) {
      log.warn({ url: event.senderFrame?.url, refusal }, 'a port request was refused');
      return;
    }
    const { port1, port2 } = new MessageChannelMain();
    serve(port1);
    port1.start();
    event.senderFrame?.postMessage(channel, null, [port2]);
  });
}

function refusalOf(event: IpcMainEvent, isScreenWindow: Options['isScreenWindow']): string | undefined {
  const frame = event.senderFrame;
  if (frame === null || frame.detached) return 'the page is gone';
  if (frame.parent !== null) return 'it is not a main frame';
  if (!isScreensAddress(frame.url)) return 'it is not one of our pages';
  if (!isScreenWindow(event.sender)) return 'it is not one of our windows';
  return undefined;
}
