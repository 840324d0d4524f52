// Chromium knows no `app:` scheme of ours, so a page of `app://rainbell/` is served to it as `https://rainbell/` (no such
// host exists), and every address that the main process sees is translated back. The privileges count: a scheme that is not
// secure is served as http, which is no secure context, and one that is not standard has no pages at all here.

/** electron.d.ts, `Privileges`: those with a consequence in the double. */
export type Privileges = { standard?: boolean; secure?: boolean; supportFetchAPI?: boolean };

export type Addresses = {
  /** Makes a scheme a privileged one, as protocol.registerSchemesAsPrivileged does. */
  register: (scheme: string, privileges: Privileges) => void;
  privilegesOf: (scheme: string) => Privileges;
  toChromium: (address: string) => string;
  fromChromium: (address: string) => string;
};

export function createAddresses(): Addresses {
  const schemes = new Map<string, Privileges>();
  const schemeOf = new Map<string, string>();
  return {
    register: (scheme, privileges) => void schemes.set(scheme, privileges),
    privilegesOf: (scheme) => schemes.get(scheme) ?? {},
    toChromium(address) {
      const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(address) ?? [];
      if (scheme === undefined || rest === undefined || schemes.get(scheme)?.standard !== true) return address;
      schemeOf.set(rest.split('/')[0] ?? '', scheme);
      return `${schemes.get(scheme)?.secure === true ? 'https' : 'http'}://${rest}`;
    },
    fromChromium(address) {
      const [, blob = '', rest] = /^(blob:)?https?:\/\/(.*)$/.exec(address) ?? [];
      const scheme = rest === undefined ? undefined : schemeOf.get(rest.split(/[/?#]/)[0] ?? '');
      return scheme === undefined ? address : `${blob}${scheme}://${rest}`;
    },
  };
}
