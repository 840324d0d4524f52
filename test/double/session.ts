// Sessions: the handlers that an app gives them, and a browser context of Chromium's own for each partition.
import { EventEmitter } from 'node:events';
import { acceptsCertificate, type VerifyCertificate } from './certificates.ts';
import { inside } from './inside.ts';
import { world } from './world.ts';

type ProtocolHandler = (request: Request) => Response | Promise<Response>;
type PermissionRequest = (
  contents: unknown,
  permission: string,
  answer: (isGranted: boolean) => void,
  details: { requestingUrl: string; isMainFrame: boolean },
) => void;
type ProxyConfig = { mode?: string; proxyRules?: string; proxyBypassRules?: string };
type PermissionCheck = (contents: unknown, permission: string, origin: string, details: object) => boolean;

class Protocol {
  readonly [inside] = new Map<string, ProtocolHandler>();

  registerSchemesAsPrivileged(schemes: readonly { scheme: string; privileges?: object }[]): void {
    if (world.isReady) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    for (const { scheme } of schemes) world.addresses.register(scheme);
  }

  handle(scheme: string, handler: ProtocolHandler): void {
    if (!world.isReady) throw new Error('protocol cannot be used before app is ready');
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
  readonly [inside]: {
    partition: string;
    /** Chromium's browser context; made when it is first needed, since its proxy is fixed from then on. */
    readonly contextId: Promise<string | undefined>;
    context: Promise<string | undefined> | undefined;
    proxy: ProxyConfig | undefined;
    verifyCertificate: VerifyCertificate | undefined;
    /** Answers whether the app accepts the certificate of an address that Chromium refuses. */
    acceptsCertificate: (address: string) => Promise<boolean>;
    permissionRequest: PermissionRequest | undefined;
    permissionCheck: PermissionCheck | undefined;
    devicePermission: (() => boolean) | undefined;
    cleared: string[];
    /** Asks the app's handlers as Chromium would, and lets Chromium follow. */
    settlePermissions: (address: string) => Promise<void>;
    dispose: () => Promise<void>;
  };

  constructor(partition: string) {
    super();
    this[inside] = {
      partition,
      get contextId() {
        this.context ??= partition === '' ? Promise.resolve(undefined) : createContext(this.proxy);
        return this.context;
      },
      context: undefined,
      proxy: undefined,
      verifyCertificate: undefined,
      acceptsCertificate: async (address) => {
        const { verifyCertificate } = this[inside];
        return verifyCertificate !== undefined && acceptsCertificate(address, verifyCertificate);
      },
      permissionRequest: undefined,
      permissionCheck: undefined,
      devicePermission: undefined,
      cleared: [],
      settlePermissions: (address) => this.#settlePermissions(address),
      dispose: async () => {
        const browserContextId = await this[inside].context;
        this[inside].context = undefined;
        if (browserContextId === undefined) return;
        const { browser } = await world.chromium;
        await browser.send('Target.disposeBrowserContext', { browserContextId });
      },
    };
  }

  async #settlePermissions(address: string): Promise<void> {
    const { permissionCheck, contextId } = this[inside];
    const { origin } = new URL(world.addresses.toChromium(address));
    if (origin === 'null') return;
    const browserContextId = await contextId;
    const { browser } = await world.chromium;
    for (const name of ['loopback-network', 'local-network', 'geolocation', 'notifications']) {
      // Without a handler Electron grants what is asked.
      const isGranted = permissionCheck?.(null, name, address, { requestingUrl: address, isMainFrame: true }) ?? true;
      await browser.send('Browser.setPermission', {
        permission: { name },
        setting: isGranted ? 'granted' : 'denied',
        origin,
        ...(browserContextId === undefined ? {} : { browserContextId }),
      });
    }
  }

  setPermissionRequestHandler(handler: PermissionRequest | null): void {
    this[inside].permissionRequest = handler ?? undefined;
  }

  setPermissionCheckHandler(handler: PermissionCheck | null): void {
    this[inside].permissionCheck = handler ?? undefined;
  }

  setDevicePermissionHandler(handler: (() => boolean) | null): void {
    this[inside].devicePermission = handler ?? undefined;
  }

  isPersistent(): boolean {
    return this[inside].partition === '' || this[inside].partition.startsWith('persist:');
  }

  async clearStorageData(): Promise<void> {
    this[inside].cleared.push('storage');
    // A context that is gone has neither cookies nor storage; DevTools know no narrower way to both.
    if (this[inside].partition === '') throw new Error('The double clears no storage of the default session.');
    await this[inside].dispose();
  }

  async setProxy(config: ProxyConfig): Promise<void> {
    if (config.mode !== 'fixed_servers') return;
    if (JSON.stringify(this[inside].proxy) === JSON.stringify(config)) return;
    if (this[inside].context) throw new Error('The double cannot give a proxy to a session that was used already.');
    this[inside].proxy = config;
  }

  setCertificateVerifyProc(verify: VerifyCertificate | null): void {
    this[inside].verifyCertificate = verify ?? undefined;
  }

  async clearCache(): Promise<void> {
    this[inside].cleared.push('cache');
  }

  async clearAuthCache(): Promise<void> {
    this[inside].cleared.push('auth');
  }

  async closeAllConnections(): Promise<void> {
    this[inside].cleared.push('connections');
  }
}

async function createContext(proxy: ProxyConfig | undefined): Promise<string> {
  const { browser } = await world.chromium;
  const { browserContextId } = await browser.send('Target.createBrowserContext', {
    disposeOnDetach: true,
    ...(proxy?.proxyRules === undefined ? {} : { proxyServer: proxy.proxyRules }),
    ...(proxy?.proxyBypassRules === undefined ? {} : { proxyBypassList: proxy.proxyBypassRules }),
  });
  return browserContextId;
}

const known = new Map<string, Session>();
/** Told of every session but the default one, which Electron makes before anybody can listen. */
export const sessionNews = new EventEmitter();

export const session = {
  get defaultSession(): Session {
    return this.fromPartition('');
  },
  fromPartition(partition: string): Session {
    const found = known.get(partition);
    if (found) return found;
    const made = new Session(partition);
    known.set(partition, made);
    sessionNews.emit('created', made);
    return made;
  },
};

/** The default session's, as `import { protocol } from 'electron'` gives. */
export const protocol = session.defaultSession.protocol;
