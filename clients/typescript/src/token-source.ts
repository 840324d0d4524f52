// Access tokens: from client credentials (RFC 6749 section 4.4), or from the caller.

/** An application's client credentials, or a function that returns an access token, such as a user's. */
export type Credentials = { clientId: string; clientSecret: string } | { accessToken: () => string | Promise<string> };

/** The service did not return a token. `code` is its OAuth error, such as `invalid_client`. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly status: number;
  readonly code: string | undefined;

  constructor(message: string, status: number, code: string | undefined) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

type TokenSource = { get: () => Promise<string>; forget: () => void };
type Token = { text: string; endsAt: number };

const longestMarginMs = 30_000;

export function createTokenSource(
  baseUrl: string,
  credentials: Credentials,
  fetch: (request: Request) => Promise<Response>,
): TokenSource {
  if ('accessToken' in credentials) {
    const { accessToken } = credentials;
    return { get: async () => accessToken(), forget: () => {} };
  }
  const { clientId, clientSecret } = credentials;
  let held: Promise<Token> | undefined;

  async function request(): Promise<Token> {
    const pair = [clientId, clientSecret].map((text) => new URLSearchParams({ v: text }).toString().slice(2)).join(':');
    const response = await fetch(
      new Request(`${baseUrl}/token/`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(pair)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      }),
    );
    const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
    const { access_token: text, expires_in: seconds, error, error_description: description } = body;
    if (typeof text !== 'string' || typeof seconds !== 'number') {
      const code = typeof error === 'string' ? error : undefined;
      const reason = typeof description === 'string' ? description : (code ?? 'its response has no access token.');
      throw new TokenError(`POST /token/ returned ${response.status}: ${reason}`, response.status, code);
    }
    const margin = Math.min(longestMarginMs, seconds * 500);
    return { text, endsAt: performance.now() + seconds * 1000 - margin };
  }

  return {
    async get() {
      const seen = held;
      const token = await seen?.catch(() => undefined);
      if (token && token.endsAt > performance.now()) return token.text;
      // Of several concurrent calls, one sends the request.
      if (held === seen) held = request();
      return (await (held ??= request())).text;
    },
    forget() {
      held = undefined;
    },
  };
}
