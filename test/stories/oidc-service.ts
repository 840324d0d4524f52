// An authorization server that is not ours: oidc-provider, at the interface's paths, for the authorization code flow
// and for refresh. It refuses the interface's odd content type, wants PKCE where a client sends it, and rotates nothing.
import { createServer } from 'node:http';
import Provider, { type Configuration } from 'oidc-provider';
import { listen } from '#test/setup/listen.ts';

const applicationSecret = 'independent: 100% + a secret';

export async function startOidcService() {
  const redirectUri = 'http://127.0.0.1/callback';
  const server = createServer();
  const port = await listen(server);
  const baseUrl = `http://127.0.0.1:${port}`;
  const provider = new Provider(baseUrl, configuration(redirectUri));
  /** Each token request and how it was answered. */
  const tokenRequests: { contentType: string; status: number }[] = [];
  provider.use(async (context, next) => {
    await next();
    if (context.path !== '/token/') return;
    tokenRequests.push({ contentType: context.get('content-type'), status: context.status });
  });
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  return {
    baseUrl,
    clientId: 'independent application',
    clientSecret: applicationSecret,
    redirectUri,
    username: 'ada',
    password: 'any password will do',
    tokenRequests,
    /** The owner of an access token according to the service, or undefined if it has no such token. */
    ownerOf: async (accessToken: string) => (await provider.AccessToken.find(accessToken))?.accountId,
    /** As if the service deleted a refresh token. */
    drop: async (refreshToken: string) => (await provider.RefreshToken.find(refreshToken))?.destroy(),
  };
}

export type OidcService = Awaited<ReturnType<typeof startOidcService>>;

function configuration(redirectUri: string): Configuration {
  return {
    clients: [
      {
        client_id: 'independent application',
        client_secret: applicationSecret,
        application_type: 'native',
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    routes: { authorization: '/oauth/authorize/', token: '/token/' },
    scopes: ['openid', 'post_metag', 'read_weather'],
    pkce: { required: () => false },
    issueRefreshToken: async () => true,
    rotateRefreshToken: false,
    ttl: { AccessToken: 600, RefreshToken: 86_400, Session: 600, Interaction: 600, Grant: 86_400 },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    cookies: { keys: ['only for tests'] },
    features: { devInteractions: { enabled: true } },
  };
}
