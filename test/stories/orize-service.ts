// Another authorization server that is not ours: oauth2orize in a small Express app, for the implicit and the password grant,
// with refresh. It writes “Bearer” with a capital, answers a wrong password with 403, reads the client secret without decoding
// it, and fails with 500 for an unknown body type.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import oauth2orize from 'oauth2orize';
import type { IndependentService } from './oidc-service.ts';
import { listen } from '#test/setup/listen.ts';

type Client = { id: string; redirectUri: string };
type User = { name: string };
type Issued = (error: Error | null, access?: string | false, refresh?: string, others?: object) => void;
type SessionRequest = Request & { session?: object; user?: unknown };

const account = { username: 'grace', password: 'correct horse' };
const client: Client & { secret: string } = {
  id: 'orize-application',
  secret: 'read+raw/not==decoded',
  redirectUri: 'http://127.0.0.1/callback',
};

export async function startOrizeService(): Promise<IndependentService> {
  const owners = new Map<string, string>();
  const refreshTokens = new Map<string, string>();
  const tokenRequests: IndependentService['tokenRequests'] = [];
  const app = express();
  app.use(express.urlencoded({ extended: false }), keepSessions());
  const issueAccess = (name: string): string => {
    const token = randomBytes(24).toString('base64url');
    owners.set(token, name);
    return token;
  };
  const engine = createEngine(issueAccess, refreshTokens);
  addDialog(app, engine);
  app.use('/token/', (request, response, next) => {
    response.on('finish', () => {
      tokenRequests.push({ contentType: request.get('content-type') ?? '', status: response.statusCode });
    });
    next();
  });
  app.post('/token/', authenticateClient, engine.token() as never, engine.errorHandler() as never);
  const baseUrl = `http://127.0.0.1:${await listen(createServer(app))}`;
  return {
    baseUrl,
    clientId: client.id,
    clientSecret: client.secret,
    redirectUri: client.redirectUri,
    ...account,
    tokenRequests,
    ownerOf: async (accessToken) => owners.get(accessToken),
    drop: async (refreshToken) => void refreshTokens.delete(refreshToken),
  };
}

function createEngine(issueAccess: (name: string) => string, refreshTokens: Map<string, string>) {
  const engine = oauth2orize.createServer<Client, User>();
  engine.serializeClient((known, done) => done(null, known.id));
  engine.deserializeClient((_id, done) => done(null, client));
  engine.grant(
    oauth2orize.grant.token((_client: Client, user: User, _answer: unknown, issued: Issued) =>
      issued(null, issueAccess(user.name), undefined, { expires_in: 300 }),
    ) as never,
  );
  const issueBoth = (name: string, issued: Issued) => {
    const refresh = randomBytes(24).toString('base64url');
    refreshTokens.set(refresh, name);
    issued(null, issueAccess(name), refresh, { expires_in: 300 });
  };
  engine.exchange(
    oauth2orize.exchange.password((_client: Client, username: string, password: string, issued: Issued) => {
      const isRight = username === account.username && password === account.password;
      if (isRight) issueBoth(username, issued);
      else issued(null, false);
    }) as never,
  );
  engine.exchange(
    // Each refresh token works once: the answer brings the next one.
    oauth2orize.exchange.refreshToken((_client: Client, refresh: string, issued: Issued) => {
      const name = refreshTokens.get(refresh);
      refreshTokens.delete(refresh);
      if (name === undefined) issued(null, false);
      else issueBoth(name, issued);
    }) as never,
  );
  return engine;
}

function addDialog(app: Express, engine: ReturnType<typeof createEngine>): void {
  const validate = (
    id: string,
    redirectUri: string,
    done: (error: null, found?: Client | false, uri?: string) => void,
  ) =>
    // RFC 8252 §7.3: the port of a loopback address may vary.
    done(null, id === client.id && isRegistered(redirectUri) ? client : false, redirectUri);
  app.get('/oauth/authorize/', engine.authorization(validate as never) as never, (request, response) => {
    const { transactionID } = (request as unknown as { oauth2: { transactionID: string } }).oauth2;
    response.send(`<!doctype html><title>Sign in</title><form method="post" action="/decision/">
      <input type="hidden" name="transaction_id" value="${transactionID}">
      <label>Name <input name="login"></label><label>Password <input name="password" type="password"></label>
      <button>Allow</button><button name="cancel" value="1">Deny</button></form>`);
  });
  const signIn = (request: Request, response: Response, next: NextFunction) => {
    const { login, password, cancel } = request.body as Record<string, string>;
    const isRight = login === account.username && password === account.password;
    if (!isRight && cancel === undefined) return void response.status(401).send('Wrong name or password.');
    (request as SessionRequest).user = { name: account.username };
    next();
  };
  const handlers = engine.decision() as unknown as express.RequestHandler[];
  app.post('/decision/', signIn, ...handlers);
}

function isRegistered(redirectUri: string): boolean {
  const url = URL.parse(redirectUri);
  return url?.protocol === 'http:' && url.hostname === '127.0.0.1' && url.pathname === '/callback';
}

function authenticateClient(request: Request, response: Response, next: NextFunction): void {
  const [, coded = ''] = (request.get('authorization') ?? '').split('Basic ');
  if (Buffer.from(coded, 'base64').toString('utf8') !== `${client.id}:${client.secret}`) {
    response.status(401).json({ error: 'invalid_client' });
    return;
  }
  (request as SessionRequest).user = client;
  next();
}

/** oauth2orize keeps the transaction of the dialog in `request.session`. */
function keepSessions(): (request: Request, response: Response, next: NextFunction) => void {
  const sessions = new Map<string, object>();
  return (request, response, next) => {
    const [, known = ''] = /(?:^|; )orize=([^;]+)/.exec(request.headers.cookie ?? '') ?? [];
    const id = sessions.has(known) ? known : randomBytes(16).toString('hex');
    const session = sessions.get(id) ?? {};
    sessions.set(id, session);
    response.setHeader('set-cookie', `orize=${id}; HttpOnly; Path=/`);
    (request as SessionRequest).session = session;
    next();
  };
}
