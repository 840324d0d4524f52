// Whether an address is the answer to a registered redirect address: compared by its parts, never by its beginning, since
// `https://app.example.attacker.org/` begins like `https://app.example`.

/** True where scheme, host, port and path are the same, and what the registered address asks for is asked for. */
export function isAnswerTo(redirectUri: string, address: string): boolean {
  if (!URL.canParse(redirectUri) || !URL.canParse(address)) return false;
  const wanted = new URL(redirectUri);
  const found = new URL(address);
  return (
    wanted.protocol === found.protocol &&
    wanted.host === found.host &&
    wanted.pathname === found.pathname &&
    wanted.username === found.username &&
    wanted.password === found.password &&
    [...wanted.searchParams].every(([name, value]) => found.searchParams.getAll(name).includes(value))
  );
}

/** Plain http is for this machine alone; https always; a private scheme can only be the redirect itself. */
export function mayLoad(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:') return true;
  return protocol === 'http:' && (/^127(\.\d+){3}$/.test(hostname) || ['localhost', '[::1]'].includes(hostname));
}
