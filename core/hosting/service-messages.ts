// The messages between the host and the service's process (or thread). They use the service itself over HTTP only.
import type { ServiceIntroduction } from '@rainbell/contract/service-api';

export type ServiceProcessData = {
  dataFolder: string;
  /** The preferred port; if it is in use, the service picks a free one. */
  port: number;
  logFile: string;
  /** Settings of the app for the service. Variables of the process take precedence. */
  environment: Readonly<Record<string, string>>;
};

export type FromServiceProcess =
  | { kind: 'ready'; introduction: ServiceIntroduction }
  /** The message is a sentence for the user. */
  | { kind: 'failed'; message: string };

/** Only Chromium reads the system's proxy settings, so the service's process asks Electron's main process. */
export type ProxyQuestion = { kind: 'resolve-proxy'; id: number; url: string };
export type ProxyAnswer = { kind: 'proxy'; id: number; proxyUrl: string | null };

export type ToServiceProcess = { kind: 'close' };
