// The system's certificate authorities and proxy. Like Node's own defaults, both apply to the whole process or thread.
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { isLoopback } from '../network/loopback.ts';

let isTrusting = false;

/** Trusts the system's certificate authorities, too. Only the first call does something: reading them takes some 100 ms. */
export function trustSystemCertificates(): void {
  if (isTrusting) return;
  isTrusting = true;
  setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])]);
}

/** Returns the URL of the proxy for a URL, or null to connect directly. */
export type ProxyResolver = (url: string) => Promise<string | null>;

let resolveProxy: ProxyResolver | undefined;

/** For hosts that can read the system's proxy settings. */
export function setProxyResolver(resolver: ProxyResolver | undefined): void {
  resolveProxy = resolver;
}

/** Returns the URL of the system's proxy for a URL, or null to connect directly, as always to this machine. */
export async function systemProxyFor({ hostname, href }: URL): Promise<string | null> {
  return resolveProxy === undefined || isLoopback(hostname) ? null : resolveProxy(href);
}
