// The browser session of a sign-in window: what it remembers, which certificates it trusts, and its proxy (docs/tokens.md T6, T18).
import type { Certificate } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { clearBrowserSession, clearUnlessPersistent, openDialogSession } from '#electron/sign-in/dialog-session.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { electron } from '#test/double/electron.ts';
import { inside, preventable } from '#test/double/inside.ts';
import { Session } from '#test/double/session.ts';
import { type Issued, issueCertificate } from './issue-certificate.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

type BrowserSession = Parameters<typeof openDialogSession>[0]['browserSession'];
type Transport = Parameters<typeof openDialogSession>[0]['transport'];

const clock = createManualClock();
const everything = ['auth', 'cache', 'storage'];
const direct: Transport = { caPem: null, proxyUrl: null };
let proxies: unknown[];
let setProxy: () => Promise<void>;
beforeEach(() => {
  proxies = [];
  setProxy = async () => {};
  const spy = vi.spyOn(Session.prototype, 'setProxy').mockImplementation((config) => {
    proxies.push(config);
    return setProxy();
  });
  return () => spy.mockRestore();
});

let lastConnection = 0;
const anotherConnection = () => `c${(lastConnection += 1)}`;

function open(browserSession: BrowserSession, transport = direct) {
  return openDialogSession({ browserSession, transport }, clock) as unknown as Promise<Session>;
}
const close = (session: Session, browserSession: BrowserSession) =>
  clearUnlessPersistent(session as unknown as Electron.Session, browserSession);
/** What was cleared since the last call. */
const clearedOf = (session: Session) => session[inside].cleared.splice(0).toSorted();

describe('a browser session', () => {
  it('that the user keeps has a name on disk, and is cleared only for another user', async () => {
    const connectionId = anotherConnection();
    const kept = { connectionId, isSaved: true, isFresh: false };
    const session = await open(kept);
    expect(session[inside].partition).toBe(`persist:oauth-${connectionId}`);
    await close(session, kept);
    expect(clearedOf(session)).toEqual([]);
    expect(await open({ ...kept, isFresh: true })).toBe(session);
    expect(clearedOf(session)).toEqual(everything);
  });

  it('that the user does not keep is in memory, empty in the end, and leaves the kept one alone', async () => {
    const connectionId = anotherConnection();
    const once = { connectionId, isSaved: false, isFresh: true };
    const session = await open(once);
    expect(session[inside].partition).toBe(`oauth-${connectionId}-0`);
    await close(session, once);
    expect(clearedOf(session)).toEqual(everything);
    expect(clearedOf(electron.session.fromPartition(`persist:oauth-${connectionId}`))).toEqual([]);
  });

  it('in memory is used again after its end, and not by two windows at a time', async () => {
    const connectionId = anotherConnection();
    const once = { connectionId, isSaved: false, isFresh: false };
    const first = await open(once);
    const second = await open(once);
    const other = await open({ ...once, connectionId: `${connectionId}-other` });
    const nameOf = (session: Session) => session[inside].partition.replace(`oauth-${connectionId}`, '');
    expect([first, second, other].map(nameOf)).toEqual(['-0', '-1', '-other-0']);
    await close(first, once);
    expect(await open(once)).toBe(first);
    expect(nameOf(await open(once))).toBe('-2');
  });

  it('ends even if Electron can’t clear a part of it', async () => {
    const once = { connectionId: anotherConnection(), isSaved: false, isFresh: false };
    const session = await open(once);
    const spy = vi.spyOn(session, 'clearStorageData').mockRejectedValue(new Error('the disk is gone'));
    await close(session, once);
    expect(clearedOf(session)).toEqual(['auth', 'cache']);
    expect(await open(once)).toBe(session);
    spy.mockRestore();
  });

  it('that is kept is cleared on request', async () => {
    const connectionId = anotherConnection();
    await clearBrowserSession(connectionId);
    expect(clearedOf(electron.session.fromPartition(`persist:oauth-${connectionId}`))).toEqual(everything);
  });

  it('has no permissions and no downloads', async () => {
    const session = await open({ connectionId: anotherConnection(), isSaved: true, isFresh: false });
    const { permissions, devices } = session[inside].queryAll('https://signin.example/');
    const answers = Object.values(permissions).flatMap(({ checked, requested }) => [checked, requested]);
    expect([...answers, ...Object.values(devices)]).not.toContain(true);
    const event = preventable({});
    session.emit('will-download', event, {});
    expect(event.defaultPrevented).toBe(true);
  });
});

describe('the proxy', () => {
  const browserSession = { connectionId: 'proxied', isSaved: true, isFresh: false };

  it('is the system’s unless the connection has one, which this computer’s hosts need as well', async () => {
    await open(browserSession);
    await open(browserSession, { ...direct, proxyUrl: 'http://proxy.example:3128' });
    expect(proxies).toEqual([
      { mode: 'system' },
      // Without the rule, Chromium connects to this computer directly.
      { mode: 'fixed_servers', proxyRules: 'http://proxy.example:3128', proxyBypassRules: '<-loopback>' },
    ]);
  });

  it('is set before the window may use the session', async () => {
    const set = Promise.withResolvers<void>();
    setProxy = () => set.promise;
    let isReady = false;
    const opening = open(browserSession).then(() => (isReady = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isReady).toBe(false);
    set.resolve();
    await opening;
  });
});

describe('a certificate', () => {
  const unknownIssuer = -202;
  const [accepted, asChromiumFound] = [0, -3];
  const browserSession = { connectionId: 'certified', isSaved: true, isFresh: false };
  let root: Issued;
  let leaf: Issued;
  beforeEach(async () => {
    root ??= await issueCertificate({ name: 'Root' });
    leaf ??= await issueCertificate({ name: 'leaf', issuer: root, hosts: ['signin.example'] });
  });

  /** As Electron passes it: each certificate refers to its issuer, and a root to itself. */
  function presented([first, ...issuers]: readonly Issued[]): Certificate {
    const certificate = { data: first?.cert ?? '' } as Certificate;
    certificate.issuerCert = issuers.length === 0 ? certificate : presented(issuers);
    return certificate;
  }

  async function decide(
    chain: readonly Issued[],
    changes: { errorCode?: number; hostname?: string; caPem?: string } = {},
  ) {
    const { errorCode = unknownIssuer, hostname = 'signin.example', caPem = root.cert } = changes;
    const session = await open(browserSession, { ...direct, caPem });
    const request = { hostname, certificate: presented(chain), errorCode, verificationResult: '' };
    return new Promise<number>((resolve) => session[inside].verifyCertificate?.(request, resolve));
  }

  it('of an unknown issuer is accepted if the connection trusts it for this host', async () => {
    const other = await issueCertificate({ name: 'Other' });
    expect(await decide([leaf])).toBe(accepted);
    expect(await decide([leaf, root])).toBe(accepted);
    expect(await decide([leaf], { caPem: `${other.cert}\n${root.cert}` })).toBe(accepted);
    expect(await decide([leaf], { caPem: other.cert })).toBe(asChromiumFound);
    expect(await decide([leaf], { hostname: 'other.example' })).toBe(asChromiumFound);
  });

  it.each([0, -200, -201, -206])('with Chromium’s result %d is as Chromium found it', async (errorCode) => {
    expect(await decide([leaf], { errorCode })).toBe(asChromiumFound);
  });

  it('is followed over its issuers, which the host sent', async () => {
    const middle = await issueCertificate({ name: 'Middle', issuer: root, isAuthority: true });
    const far = await issueCertificate({ name: 'far', issuer: middle, hosts: ['signin.example'] });
    expect(await decide([far, middle, root])).toBe(accepted);
    expect(await decide([far, root])).toBe(asChromiumFound);
  });

  it('is checked at the current time', async () => {
    clock.jump(366 * 24 * 3_600_000);
    expect(await decide([leaf])).toBe(asChromiumFound);
    clock.jump(-366 * 24 * 3_600_000);
    expect(await decide([leaf])).toBe(accepted);
  });

  it('is left to Chromium if the connection has no certificates, even if it had some before', async () => {
    await open(browserSession, { ...direct, caPem: root.cert });
    const session = await open(browserSession);
    expect(session[inside].verifyCertificate).toBeUndefined();
  });
});
