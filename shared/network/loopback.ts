/**
 * Returns whether a host name or IP address, in brackets or without, is this machine's loopback interface: `localhost`, a name below it
 * (RFC 6761 §6.3), 127.0.0.0/8, `::1`, or an IPv4 loopback address mapped to IPv6, as in `socket.remoteAddress`.
 */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '').replace(/^::ffff:/i, '');
  return address === '::1' || /^127(\.\d{1,3}){3}$|^(.+\.)?localhost\.?$/i.test(address);
}
