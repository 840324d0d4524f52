// A service that consists of its OAuth part alone, over real HTTP and a real SQLite file, with a clock that the test
// moves. Cleans up after the test.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import pino, { type Logger } from 'pino';
import { onTestFinished } from 'vitest';
import { systemClock, type Clock } from '#shared/time/clock.ts';
import { createPasswords } from '#service/accounts/passwords.ts';
import { ensureSigningKey } from '#service/secrets/stored-keys.ts';
import { type Config, configWith, databaseLocation } from '#service/config/config.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import type { DatabaseLocation } from '#service/database/open-database.ts';
import type { Tables } from '#service/database/tables.ts';
import { createAdmission } from '#service/limits/admission.ts';
import { bindSocket, createHttpServer } from '#service/http/server.ts';
import { createOAuth, type OAuth } from '#service/oauth/create-oauth.ts';
import { ensureSandbox, sandboxCredentials } from '#service/oauth/sandbox.ts';
import { registerDialog } from '#service/website/register-website.ts';
import { registerSite } from '#service/website/layout/site.ts';
import { type Engine, newDatabase } from '#test/service/engines.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

export type TestClock = Clock & {
  advance(seconds: number): void;
  /** Sets it forward, or back if negative. */
  jump(seconds: number): void;
};

export function testClock(start = Date.UTC(2026, 10, 21, 6)): TestClock {
  let [elapsed, offset] = [0, start];
  const listeners = new Set<() => void>();
  return {
    now: () => offset + elapsed,
    elapsed: () => elapsed,
    after: () => () => {},
    onJump(run) {
      listeners.add(run);
      return () => void listeners.delete(run);
    },
    advance: (seconds) => void (elapsed += seconds * 1000),
    jump(seconds) {
      offset += seconds * 1000;
      for (const run of listeners) run();
    },
  };
}

/** Cheap hashes: the tests are about who may, not about how slow a guess is. */
export const quickPasswords = () => createPasswords({ cost: 2 ** 10, passes: 1 });

export type ServiceParts = {
  config: Config;
  clock: TestClock;
  log: Logger;
  db: Kysely<Tables>;
  oauth: OAuth;
  baseUrl: string;
  signingKey: Buffer;
  server: FastifyInstance;
};

type Surroundings = {
  folder?: string;
  log?: Logger;
  location?: DatabaseLocation;
  changes?: Partial<Config>;
  machineClock?: Clock;
};

/** The OAuth part without a server, on a new database of that kind or the given one. */
export async function openOAuth(
  engine: Engine,
  { log = pino({ level: 'silent' }), location, changes = {}, machineClock = systemClock, ...given }: Surroundings = {},
) {
  const folder = given.folder ?? temporaryFolder();
  const clock = testClock();
  const config = configWith({ dataFolder: folder, ...changes });
  const place = location ?? (await newDatabase(engine, folder));
  const { db, close } = await openServiceDatabase({ ...place, clock, log });
  const passwords = quickPasswords();
  const oauth = createOAuth({ config, clock, machineClock, log, db, passwords });
  onTestFinished(async () => {
    await oauth.close();
    await close();
  });
  return { folder, location: place, config, clock, log, db, oauth, passwords };
}

/** `extend`: registers further routes, and returns what closes them; without it, those of the authorization dialog. */
export async function startOAuthService(
  changes: Partial<Config> = {},
  extend: (parts: ServiceParts) => Promise<() => Promise<void>> = withDialog,
  machineClock: Clock = systemClock,
) {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const folder = temporaryFolder();
  const location = databaseLocation(configWith({ dataFolder: folder, ...changes }));
  const opened = await openOAuth('sqlite', { folder, log, location, changes, machineClock });
  const { config, clock, db, oauth, passwords } = opened;
  const sandbox = await ensureSandbox({ db, clock, passwords, credentials: sandboxCredentials(folder) });
  const socket = await bindSocket('127.0.0.1', 0, undefined);
  const { baseUrl } = socket;
  const { server, attach } = createHttpServer(socket, log, config.trustedProxies);
  createAdmission({ accountOf: oauth.accountOf }).guard(server);
  await oauth.registerRoutes(server, baseUrl);
  server.get('/v2/probe', { preHandler: oauth.requireBearer }, async (request) => ({ access: request.access }));
  const signingKey = await ensureSigningKey(db);
  const closeExtension = await extend({ config, clock, log, db, oauth, baseUrl, signingKey, server });
  await server.ready();
  attach();
  onTestFinished(async () => {
    await server.close();
    socket.http.closeAllConnections();
    await closeExtension();
  });
  return { ...opened, baseUrl, sandbox, lines };
}

async function withDialog(parts: ServiceParts): Promise<() => Promise<void>> {
  await registerSite(parts.server, parts, (scope) => registerDialog(scope, parts));
  return async () => {};
}

export type OAuthService = Awaited<ReturnType<typeof startOAuthService>>;

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export function basic(clientId: string, secret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
}

/** A request with that access token. */
export const probe = ({ baseUrl }: Pick<OAuthService, 'baseUrl'>, token: unknown) =>
  fetch(`${baseUrl}/v2/probe`, { headers: { authorization: `Bearer ${String(token)}` } });

/** `contentType`: null sends none. */
type TokenCall = {
  path?: '/token/' | '/token/revoke/';
  authorization?: string;
  contentType?: string | null;
  body?: string;
  forwardedFor?: string;
};

/** `POST /token/` with a form; the parameters as an object, or the body as a text where its very bytes matter. */
export async function postToken(
  { baseUrl }: Pick<OAuthService, 'baseUrl'>,
  parameters: Readonly<Record<string, string>>,
  { path = '/token/', contentType = 'application/www-form-urlencoded', ...call }: TokenCall = {},
) {
  const { authorization, forwardedFor, body = new URLSearchParams(parameters).toString() } = call;
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      ...(contentType === null ? {} : { 'content-type': contentType }),
      ...(authorization === undefined ? {} : { authorization }),
      ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
    },
    body: Buffer.from(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  return { response, status: response.status, answer };
}
