// Sessions: the handlers that an app gives them, and a browser context of Chromium's own for each partition.
import { EventEmitter } from 'node:events';
import type { BrowserContext } from 'playwright';
import type { Privileges } from './addresses.ts';
import { acceptsCertificate, type VerifyCertificate } from './certificates.ts';
import { inside } from './inside.ts';
import {
  type DevicePermission,
  type PermissionCheck,
  type PermissionHandlers,
  type PermissionRequest,
  queryAll,
  settlePermissions,
} from './permissions.ts';
import { world } from './world.ts';
import { isLoopback } from '#shared/network/loopback.ts';

type ProtocolHandler = (request: Request) => Response | Promise<Response>;
type ProxyConfig = { mode?: string; proxyRules?: string; proxyBypassRules?: string };
type Scheme = { scheme: string; privileges?: Privileges };

class Protocol {
  readonly [inside] = new Map<string, ProtocolHandler>();

  handle(scheme: string, handler: ProtocolHandler): void {
    if (this[inside].has(scheme)) throw new Error(`The scheme ${scheme} has a handler already`);
    this[inside].set(scheme, handler);
  }

  unhandle(scheme: string): void {
    this[inside].delete(scheme);
  }

  isProtocolHandled(scheme: string): boolean {
    return this[inside].has(scheme);
  }
}

export class Session extends EventEmitter {
  readonly protocol = new Protocol();
  readonly [inside] = {
    /** Made when it is first needed, because its proxy is fixed from then on. */
    context: undefined as Promise<BrowserContext> | undefined,
    openContext: () => (this[inside].context ??= openContext(this[inside].proxy)),
    proxy: undefined as ProxyConfig | undefined,
    verifyCertificate: undefined as VerifyCertificate | undefined,
    /** Answers whether the app accepts the certificate of an address that Chromium refuses. */
    acceptsCertificate: async (address: string) => {
      const { verifyCertificate } = this[inside];
      return verifyCertificate !== undefined && acceptsCertificate(address, verifyCertificate);
    },
    handlers: {} as PermissionHandlers,
    checksSpelling: true,
    // The locale's own, unless others are stored (shell/browser/electron_browser_context.cc, InitPrefs).
    spellingLanguages: ['en-GB'],
    /** Languages whose dictionaries were requested from Google. */
    dictionaryDownloads: [] as string[],
    /** What the handlers answer to every permission's name, and for a device. */
    queryAll: (address: string) => queryAll(this[inside].handlers, address),
    /** Asks the app's handlers as Chromium would, and lets Chromium follow. */
    settlePermissions: async (address: string) =>
      settlePermissions(this[inside].handlers, address, await this[inside].openContext()),
  };

  constructor() {
    super();
    this.#loadDictionaries();
  }

  setPermissionRequestHandler(handler: PermissionRequest | null): void {
    this[inside].handlers.permissionRequest = handler;
  }

  setPermissionCheckHandler(handler: PermissionCheck | null): void {
    this[inside].handlers.permissionCheck = handler;
  }

  setDevicePermissionHandler(handler: DevicePermission | null): void {
    this[inside].handlers.devicePermission = handler;
  }

  getSpellCheckerLanguages(): string[] {
    return [...this[inside].spellingLanguages];
  }

  /** Does nothing on a Mac; elsewhere it turns the spell checker on, or off without a language. */
  setSpellCheckerLanguages(languages: string[]): void {
    if (process.platform === 'darwin') return;
    this[inside].spellingLanguages = [...languages];
    this[inside].checksSpelling = languages.length > 0;
    this.#loadDictionaries();
  }

  /**
   * A session loads its dictionaries as soon as it exists, even if spelling isn't checked: it looks for the files on another thread, and
   * downloads those it doesn't find and still wants then (chrome/browser/spellchecker/spellcheck_hunspell_dictionary.cc).
   */
  #loadDictionaries(): void {
    if (process.platform === 'darwin') return;
    const wanted = this[inside].spellingLanguages;
    setImmediate(() => {
      const { spellingLanguages, dictionaryDownloads: downloads } = this[inside];
      if (spellingLanguages !== wanted) return;
      downloads.push(...wanted.filter((language) => !downloads.includes(language)));
    });
  }

  setSpellCheckerEnabled(isEnabled: boolean): void {
    this[inside].checksSpelling = isEnabled;
  }

  isSpellCheckerEnabled(): boolean {
    return this[inside].checksSpelling;
  }

  async clearStorageData(): Promise<void> {
    // A context that is gone has neither cookies nor storage; DevTools know no narrower way to both.
    const context = await this[inside].context;
    this[inside].context = undefined;
    await context?.close();
  }

  /** What Chromium answers from the system's settings, for instance `PROXY 10.0.0.1:8080;DIRECT`; this machine needs no proxy. */
  async resolveProxy(url: string): Promise<string> {
    const answer = process.env['RAINBELL_DOUBLE_PROXY'];
    return answer === undefined || isLoopback(new URL(url).hostname) ? 'DIRECT' : answer;
  }

  async setProxy(config: ProxyConfig): Promise<void> {
    if (!['system', 'fixed_servers'].includes(config.mode ?? ''))
      throw new TypeError(`The double has no proxy mode ${config.mode}.`);
    const next = config.mode === 'fixed_servers' ? config : undefined;
    if (JSON.stringify(this[inside].proxy) === JSON.stringify(next)) return;
    if (this[inside].context) throw new Error('The double cannot give a proxy to a session that was used already.');
    this[inside].proxy = next;
  }

  setCertificateVerifyProc(verify: VerifyCertificate | null): void {
    this[inside].verifyCertificate = verify ?? undefined;
  }

  async clearCache(): Promise<void> {}

  async clearAuthCache(): Promise<void> {}
}

async function openContext(proxy: ProxyConfig | undefined): Promise<BrowserContext> {
  const { proxyRules: server, proxyBypassRules: bypass } = proxy ?? {};
  const { browser } = world.chromium ?? (await new Promise<never>(() => {}));
  return browser.newContext(server === undefined ? {} : { proxy: { server, ...(bypass !== undefined && { bypass }) } });
}

const known = new Map<string, Session>();
/**
 * Reports every session when it is made: synchronously, at the first access, the default one too
 * (shell/browser/api/electron_api_session.cc, Session::FromOrCreate).
 */
export const sessionNews = new EventEmitter();

export const session = {
  get defaultSession(): Session {
    return this.fromPartition('');
  },
  fromPartition(partition: string): Session {
    if (!world.isReady) throw new Error('Session can only be received when app is ready');
    const found = known.get(partition);
    if (found) return found;
    const made = new Session();
    known.set(partition, made);
    sessionNews.emit('created', made);
    return made;
  },
};

/** As `import { protocol } from 'electron'` gives: the default session's, and what is said before any session exists. */
export const protocol = {
  registerSchemesAsPrivileged(schemes: readonly Scheme[]): void {
    if (world.isReady) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    for (const { scheme, privileges = {} } of schemes) world.addresses.register(scheme, privileges);
  },
  handle(scheme: string, handler: ProtocolHandler): void {
    session.defaultSession.protocol.handle(scheme, handler);
  },
  unhandle(scheme: string): void {
    session.defaultSession.protocol.unhandle(scheme);
  },
  isProtocolHandled(scheme: string): boolean {
    return session.defaultSession.protocol.isProtocolHandled(scheme);
  },
};
