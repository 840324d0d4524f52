// Chromium knows no `app:` scheme of ours, so a page of `app://rainbell/` is served to it as `https://rainbell/` (no such
// host exists), and every address that the main process sees is translated back.

export type Addresses = {
  /** Makes a scheme a standard one, as protocol.registerSchemesAsPrivileged does. */
  register: (scheme: string) => void;
  isRegistered: (scheme: string) => boolean;
  toChromium: (address: string) => string;
  fromChromium: (address: string) => string;
};

export function createAddresses(): Addresses {
  const schemes = new Set<string>();
  const schemeOf = new Map<string, string>();
  return {
    register: (scheme) => void schemes.add(scheme),
    isRegistered: (scheme) => schemes.has(scheme),
    toChromium(address) {
      const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(address) ?? [];
      if (scheme === undefined || rest === undefined || !schemes.has(scheme)) return address;
      schemeOf.set(rest.split('/')[0] ?? '', scheme);
      return `https://${rest}`;
    },
    fromChromium(address) {
      if (!address.startsWith('https://')) return address;
      const scheme = schemeOf.get(address.slice('https://'.length).split(/[/?#]/)[0] ?? '');
      return scheme === undefined ? address : `${scheme}${address.slice('https'.length)}`;
    },
  };
}
