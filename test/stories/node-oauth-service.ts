// An authorization server that is not ours: @node-oauth/oauth2-server in a small Express app. It knows the standard content type
// only, rotates refresh tokens, and its tokens live for seconds.
import { createServer } from 'node:http';
import OAuth2Server from '@node-oauth/oauth2-server';
import express, { type Request, type Response } from 'express';
import type { IndependentService } from './oidc-service.ts';
import { listen } from '#test/setup/listen.ts';

const account = { username: 'joan', password: 'correct horse' };
const client = {
  id: 'node-oauth-application',
  secret: 'secret/of+node=oauth',
  redirectUris: ['http://127.0.0.1/callback'],
  grants: ['authorization_code', 'password', 'client_credentials', 'refresh_token'],
};

export async function startNodeOAuthService(): Promise<IndependentService> {
  const tokens: OAuth2Server.Token[] = [];
  const codes: OAuth2Server.AuthorizationCode[] = [];
  const tokenRequests: IndependentService['tokenRequests'] = [];
  const asked = { redirectUri: client.redirectUris[0] ?? '' };
  const server = new OAuth2Server({
    model: {
      // RFC 8252 section 7.3: the port of a loopback address may vary.
      getClient: async (id: string, secret: string | null) =>
        id === client.id && (secret === null || secret === client.secret)
          ? { ...client, redirectUris: [asked.redirectUri] }
          : false,
      getUser: async (username: string, password: string) =>
        username === account.username && password === account.password && { name: username },
      getUserFromClient: async () => ({ name: 'the application' }),
      saveToken: async (token: OAuth2Server.Token, by: OAuth2Server.Client, user: OAuth2Server.User) => {
        const saved = { ...token, client: by, user };
        tokens.push(saved);
        return saved;
      },
      getAccessToken: async (text: string) => tokens.find(({ accessToken }) => accessToken === text) ?? false,
      getRefreshToken: async (text: string) =>
        (tokens.find(({ refreshToken }) => refreshToken === text) as OAuth2Server.RefreshToken | undefined) ?? false,
      revokeToken: async ({ refreshToken }: OAuth2Server.RefreshToken) => remove(tokens, { refreshToken }),
      saveAuthorizationCode: async (
        code: OAuth2Server.AuthorizationCode,
        by: OAuth2Server.Client,
        user: OAuth2Server.User,
      ) => {
        const saved = { ...code, client: by, user };
        codes.push(saved);
        return saved;
      },
      getAuthorizationCode: async (text: string) =>
        codes.find(({ authorizationCode }) => authorizationCode === text) ?? false,
      revokeAuthorizationCode: async ({ authorizationCode }: OAuth2Server.AuthorizationCode) =>
        remove(codes, { authorizationCode }),
      validateScope: async (_user: OAuth2Server.User, _client: OAuth2Server.Client, scope?: string[]) => scope ?? [],
      verifyScope: async () => true,
    } as never,
    accessTokenLifetime: 6,
  });
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.get('/oauth/authorize/', (request, response) => {
    const query = new URLSearchParams(request.query as Record<string, string>).toString();
    response.send(`<!doctype html><title>Sign in</title><form method="post" action="/oauth/authorize/?${query}">
      <label>Name <input name="username"></label><label>Password <input name="password" type="password"></label>
      <button>Allow</button><button name="denied" value="yes">Deny</button></form>`);
  });
  app.post('/oauth/authorize/', async (request, response) => {
    asked.redirectUri = new URLSearchParams(request.url.split('?')[1]).get('redirect_uri') ?? '';
    const { username, password, denied } = request.body as Record<string, string>;
    if (denied !== undefined) request.query['allowed'] = 'false';
    const isRight = username === account.username && password === account.password;
    if (!isRight && denied === undefined) return void response.status(401).send('Wrong name or password.');
    const authenticateHandler = { handle: () => ({ name: account.username }) };
    const query = { ...request.query, ...(denied === undefined ? {} : { allowed: 'false' }) };
    await answer(request, response, query, (asked_, answered) =>
      server.authorize(asked_, answered, { authenticateHandler }),
    );
  });
  app.post('/token/', async (request, response) => {
    await answer(request, response, {}, (asked_, answered) => server.token(asked_, answered));
    tokenRequests.push({ contentType: request.get('content-type') ?? '', status: response.statusCode });
  });
  const http = createServer(app);
  const port = await listen(http);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    clientId: client.id,
    clientSecret: client.secret,
    redirectUri: client.redirectUris[0] ?? '',
    ...account,
    tokenRequests,
    ownerOf: async (text) => tokens.find(({ accessToken }) => accessToken === text)?.user['name'] as string | undefined,
    drop: async (refreshToken) => void remove(tokens, { refreshToken }),
  };
}

/** What the library made of a request. Its own body and headers are the response. */
async function answer(
  request: Request,
  response: Response,
  query: object,
  handle: (request: OAuth2Server.Request, response: OAuth2Server.Response) => Promise<unknown>,
): Promise<void> {
  const asked = new OAuth2Server.Request({
    method: request.method,
    headers: request.headers as Record<string, string>,
    query: query as Record<string, string>,
    body: request.body as unknown,
  });
  const answered = new OAuth2Server.Response({ headers: {} });
  try {
    await handle(asked, answered);
  } catch (error) {
    if (!(error instanceof OAuth2Server.OAuthError)) throw error;
    // As its Express wrapper does. A wrong content type is found before the library fills the response, which then says 200.
    answered.status = answered.headers?.['location'] === undefined ? error.code : 302;
    answered.body = { error: error.name, error_description: error.message };
  }
  response.status(answered.status ?? 200).set(answered.headers ?? {});
  if (answered.status === 302) response.end();
  else response.json(answered.body);
}

function remove<Item extends object>(list: Item[], like: Partial<Item>): boolean {
  const [[name, value] = []] = Object.entries(like);
  const index = list.findIndex((item) => name !== undefined && (item as Record<string, unknown>)[name] === value);
  if (index >= 0) list.splice(index, 1);
  return index >= 0;
}
