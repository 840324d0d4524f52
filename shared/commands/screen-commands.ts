// Commands that open a screen. Also in Electron's Go menu.
import { commandsIn } from './command.ts';

export const screenCommands = commandsIn('everywhere', {
  'go.forecast': { title: 'Go to Forecast', accelerator: 'CmdOrCtrl+1', keywords: 'weather' },
  'go.monitors': { title: 'Go to Monitors', accelerator: 'CmdOrCtrl+2' },
  'go.events': { title: 'Go to Events', keywords: 'record history deliveries failed resend' },
  'go.callbacks': {
    title: 'Go to Callbacks',
    accelerator: 'CmdOrCtrl+3',
    keywords: 'receiver webhook stripe signature',
  },
  'go.access': { title: 'Go to Access', accelerator: 'CmdOrCtrl+4', keywords: 'tokens sign in oauth' },
  'go.traffic': { title: 'Go to Traffic', accelerator: 'CmdOrCtrl+5', keywords: 'requests http log' },
  'go.sandbox': { title: 'Go to Sandbox', accelerator: 'CmdOrCtrl+6', keywords: 'service clock scenarios' },
  'go.connections': { title: 'Go to Connections', accelerator: 'CmdOrCtrl+7', keywords: 'services credentials' },
  'go.settings': { title: 'Go to Settings', accelerator: 'CmdOrCtrl+,', keywords: 'preferences options' },
  'go.handler': { title: 'Develop a handler', keywords: 'webhook check endpoint test signature secret junit' },
  'go.help': { title: 'Go to Help', keywords: 'guide manual' },
});
