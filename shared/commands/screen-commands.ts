// Commands that open a screen. Also in Electron's Go menu.
import type { CommandTable } from './command.ts';

export const screenCommands = {
  'go.forecast': { title: 'Go to Forecast', context: 'everywhere', accelerator: 'CmdOrCtrl+1', keywords: 'weather' },
  'go.monitors': { title: 'Go to Monitors', context: 'everywhere', accelerator: 'CmdOrCtrl+2' },
  'go.events': { title: 'Go to Events', context: 'everywhere', keywords: 'record history deliveries failed resend' },
  'go.callbacks': {
    title: 'Go to Callbacks',
    context: 'everywhere',
    accelerator: 'CmdOrCtrl+3',
    keywords: 'receiver webhook stripe signature',
  },
  'go.access': {
    title: 'Go to Access',
    context: 'everywhere',
    accelerator: 'CmdOrCtrl+4',
    keywords: 'tokens sign in oauth',
  },
  'go.traffic': {
    title: 'Go to Traffic',
    context: 'everywhere',
    accelerator: 'CmdOrCtrl+5',
    keywords: 'requests http log',
  },
  'go.sandbox': {
    title: 'Go to Sandbox',
    context: 'everywhere',
    accelerator: 'CmdOrCtrl+6',
    keywords: 'service clock scenarios',
  },
  'go.connections': {
    title: 'Go to Connections',
    context: 'everywhere',
    accelerator: 'CmdOrCtrl+7',
    keywords: 'services credentials',
  },
  'go.settings': {
    title: 'Go to Settings',
    context: 'everywhere',
    accelerator: 'CmdOrCtrl+,',
    keywords: 'preferences options',
  },
  'go.handler': {
    title: 'Develop a handler',
    context: 'everywhere',
    keywords: 'webhook check endpoint test signature secret junit',
  },
  'go.help': { title: 'Go to Help', context: 'everywhere', keywords: 'guide manual' },
} as const satisfies CommandTable;
