// Whether a URL is the registered redirect URL, by its parts: `https://app.example.attacker.org/` starts like `https://app.example`.
import { isLoopback } from '@rainbell/shared';

/** True if scheme, host, port, and path are equal, and the URL has all query parameters of the registered one. */
export function isRedirectTo(redirectUri: string, address: string): boolean {
  const [wanted, found] = [URL.parse(redirectUri), URL.parse(address)];
  if (!wanted || !found) return false;
  return (
    wanted.protocol === found.protocol &&
    wanted.host === found.host &&
    wanted.pathname === found.pathname &&
    wanted.username === found.username &&
    wanted.password === found.password &&
    [...wanted.searchParams].every(([name, value]) => found.searchParams.getAll(name).includes(value))
  );
}

/** Allows https, and http on this computer only. A private scheme can only be the redirect itself. */
export function mayLoad(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
}
