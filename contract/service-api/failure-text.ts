// Results of attempts as text: the same in the app, the command line, the website, and explanations.

/** The service's error codes (delivery.ts): short for a row, long for a sentence. */
const errorLabels: Readonly<Record<string, readonly [short: string, long: string]>> = {
  timeout: ['timed out', 'timed out'],
  refused: ['connection refused', 'connection refused'],
  reset: ['connection closed', 'connection closed'],
  'unknown-host': ['host not found', 'host name not found'],
  unreachable: ['host unreachable', 'host unreachable'],
  tls: ['TLS error', 'TLS or certificate error'],
  'tls-expired': ['certificate expired', 'the certificate has expired'],
  'tls-name': ['certificate of another host', 'the certificate is for another host'],
  'tls-untrusted': ['certificate not trusted', 'the certificate is not from a trusted authority'],
  'not-tls': ['not TLS', 'the port does not use TLS'],
  forbidden: ['URL not allowed', 'the service may not send to this address'],
  'bad-answer': ['bad response', 'response is not HTTP'],
  'host-silent': ['host not responding', 'not tried, because the host didn’t respond to other attempts'],
  failed: ['attempt failed', 'attempt failed'],
};

export function shortErrorText(error: string): string {
  return errorLabels[error]?.[0] ?? error;
}

const statusNames: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  410: 'Gone',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** `502 Bad Gateway`, or the error if there was no response. */
export function formatFailure({
  http_status: status,
  error,
}: {
  http_status: number | null;
  error: string | null;
}): string {
  if (status !== null) return `${status} ${statusNames[status] ?? ''}`.trim();
  const code = /^http (\d+)$/.exec(error ?? '')?.[1];
  if (code !== undefined) return formatFailure({ http_status: Number(code), error: null });
  return error === null ? 'no response' : (errorLabels[error]?.[1] ?? error);
}
