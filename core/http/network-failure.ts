// Why there was no answer, in a sentence that says what to do.
import { systemCode } from '@rainbell/shared';
import { AppFailure } from '../errors/app-failure.ts';

/** `timeLimitMs` is set if our own time limit ended the request; `proxyUrl` if it used a proxy. */
export function networkFailure(
  error: unknown,
  url: string,
  timeLimitMs: number | undefined,
  proxyUrl: string | null = null,
): AppFailure {
  const host = URL.parse(url)?.host ?? url;
  const proxySentence = proxyUrl === null ? undefined : describeProxyFailure(error, proxyUrl, host);
  const sentence =
    proxySentence !== undefined
      ? proxySentence
      : timeLimitMs === undefined
        ? sentenceFor(systemCode(error), host)
        : `${host} did not respond within ${timeLimitMs / 1000} seconds. Try again. If it fails again, ask the operator of the service.`;
  return new AppFailure('NETWORK', sentence, {}, { cause: error });
}

/** Only the proxy opens connections to the service, so a failed connect is the proxy's. Undefined for other failures. */
function describeProxyFailure(error: unknown, proxyUrl: string, host: string): string | undefined {
  const proxy = `The proxy ${URL.parse(proxyUrl)?.host ?? proxyUrl}`;
  const code = systemCode(error) ?? '';
  const [, status] = /HTTP\/1\.\d (\d+)/.exec(error instanceof Error ? error.message : '') ?? [];
  if (status === '407') return `${proxy} requires a username and password, which connections don’t support.`;
  if (status !== undefined) return `${proxy} returned status ${status} instead of connecting to ${host}.`;
  if (code === 'ECONNREFUSED') return `${proxy} isn’t responding: the connection was refused. ${checkProxy}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${proxy} could not be reached: its host name could not be resolved. ${checkProxy}`;
  if (isCertificateCode(code) && proxyUrl.startsWith('https:'))
    return `The certificate of ${host} or of its proxy could not be verified (${code}). Node.js must trust the proxy’s own.`;
  return unreachableCodes.has(code) ? `${proxy} could not be reached (${code}). ${checkProxy}` : undefined;
}

const checkProxy = 'Check the proxy in the connection’s network settings.';
const unreachableCodes = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ERR_PROXY_TUNNEL']);

export function canceledFailure(cause: unknown): AppFailure {
  return new AppFailure('NETWORK', 'The request was canceled in the app.', {}, { cause });
}

const isCertificateCode = (code: string) => /CERT|UNABLE_TO/.test(code);

function sentenceFor(code: string | undefined, host: string): string {
  if (code === undefined) return `The request to ${host} failed. Check the URL and the network.`;
  if (code === 'ECONNREFUSED')
    return `Nothing is responding at ${host}. Check that the service is running and the URL is correct.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `The host name ${host} could not be resolved. Check the URL and the network.`;
  }
  if (unreachableCodes.has(code)) {
    return `${host} could not be reached (${code}). Check the network, and any firewall or proxy in between.`;
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return `${host} closed the connection before its response was complete. Try again.`;
  }
  if (isCertificateCode(code)) {
    return `${host}’s certificate could not be verified (${code}). Check the URL and the certificate.`;
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return `${host} doesn’t respond with TLS (${code}). If it has no HTTPS, use http:// in the URL.`;
  if (code.startsWith('HPE_')) return `${host} returned something that is not HTTP. Check the URL.`;
  return `The request to ${host} failed (${code}). Check the URL and the network.`;
}
