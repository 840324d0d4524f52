// The OAuth part and the developer website of a service, over real HTTP and a real SQLite file, and a visitor who fills in
// its forms without scripts.
import { createOutcomeLog } from '#service/verification/outcome-log.ts';
import { createDeliveryLog } from '#service/monitors/delivery/delivery-log.ts';
import { createEventRecords } from '#service/monitors/events/event-record.ts';
import { createSecretSeal } from '#service/secrets/secret-seal.ts';
import { createWebhookSecrets } from '#service/monitors/delivery/signing.ts';
import type { Config } from '#service/config/config.ts';
import { collectOperations, type DocumentedOperation } from '#service/http/operation.ts';
import { registerMetagRoutes } from '#service/metags/metag-routes.ts';
import { createMetagStore } from '#service/metags/metag-store.ts';
import { createLinks } from '#service/mail/links.ts';
import { createMailer } from '#service/mail/mailer.ts';
import { createOutbox } from '#service/mail/outbox.ts';
import { registerOpenApiRoute } from '#service/website/openapi/openapi-route.ts';
import { registerWebsite } from '#service/website/register-website.ts';
import { createAgent, hiddenFields, type DialogPage } from '#test/service/oauth/dialog-browser.ts';
import { type OAuthService, startOAuthService } from '#test/service/oauth/oauth-service.ts';

export async function startWebsite(changes: Partial<Config> = {}) {
  const service: OAuthService = await startOAuthService(changes, async (parts) => {
    const { db, clock, config } = parts;
    const outbox = createOutbox({ db, clock });
    const links = createLinks(parts);
    const mailer = createMailer({ ...parts, outbox, links });
    let operations: readonly DocumentedOperation[] = [];
    await parts.server.register(async (api) => {
      operations = collectOperations(api);
      const metags = { store: createMetagStore(parts), requireBearer: parts.oauth.requireBearer, onReport: () => {} };
      registerMetagRoutes(api, metags);
      registerOpenApiRoute(api, parts.baseUrl, operations);
    });
    await registerWebsite(parts.server, {
      ...parts,
      operations,
      api: parts.server,
      mailer,
      links,
      deliveryLog: createDeliveryLog({ database: { db, engine: 'sqlite' }, clock, onEvents: () => {} }),
      records: createEventRecords({ db, engine: 'sqlite' }, createOutcomeLog({ db, engine: 'sqlite' }).outcomesOf),
      locate: async () => ({ locality: 'Turin', country: 'Italy' }),
      weatherStatus: async () => ({
        provider: { choice: 'auto', lastAnswered: null, lastErrors: [] },
        cache: { hits: 0, misses: 0, cells: 0 },
        pause: { since: 0, restMs: 60_000, reason: 'open-meteo: it returned 429' },
        budgets: [{ name: 'open-meteo', seconds: 86_400, left: 1_234 }],
        interval: '60 places: checked every 20 minutes',
      }),
      outcomeLog: createOutcomeLog({ db, engine: 'sqlite' }),
      secrets: createWebhookSecrets({ db, clock, seal: createSecretSeal({ ...config, folder: config.dataFolder }) }),
    });
    return () => mailer.close();
  });
  return service;
}

export type WebsiteService = Awaited<ReturnType<typeof startWebsite>>;

export type Values = Readonly<Record<string, string>>;

/** A browser without scripts: it loads the page of a form, fills it in, sends it, and follows redirects. */
export function createVisitor(baseUrl: string) {
  const agent = createAgent(baseUrl);

  async function follow(page: DialogPage): Promise<DialogPage> {
    return page.location === null ? page : follow(await agent.get(page.location));
  }

  return {
    get: async (path: string) => follow(await agent.get(path)),
    /** Sends the form with that action from the page at `path`; `values` replace its contents. */
    async send(path: string, values: Values, action = path): Promise<DialogPage> {
      const page = await agent.get(path);
      return follow(await agent.submit(page, action, { ...shownValues(page.text, action), ...values }));
    },
    /** Sends a form that its page may lack, with the page's CSRF token, and does not follow. */
    submitOnly: (page: DialogPage, action: string, values: Values) =>
      agent.submit(page, action, { csrf: csrfOf(page), ...values }),
  };
}

const csrfOf = ({ text }: DialogPage) => /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';

export type Visitor = ReturnType<typeof createVisitor>;

/** The form's current values: checked choices and typed texts. */
function shownValues(text: string, action: string): Record<string, string> {
  const form =
    (text.split('<form').find((part) => part.includes(`action="${action}"`)) ?? '').split('</form>')[0] ?? '';
  const inputs = [...form.matchAll(/<input\b([^>]*)>/gs)].map(([, attributes = '']) => attributes);
  const entries = inputs.flatMap((attributes): [string, string][] => {
    const name = /\bname="([^"]*)"/.exec(attributes)?.[1];
    const value = /\bvalue="([^"]*)"/.exec(attributes)?.[1] ?? '';
    const isChoice = /type="(radio|checkbox)"/.test(attributes);
    return name === undefined || (isChoice && !/\bchecked\b/.test(attributes)) ? [] : [[name, value]];
  });
  const areas = [...form.matchAll(/<textarea[^>]*\bname="([^"]*)"[^>]*>\n?(.*?)<\/textarea\s*>/gs)];
  return {
    ...hiddenFields(text, action),
    ...Object.fromEntries(entries),
    ...Object.fromEntries(areas.map(([, name = '', value = '']) => [name, value])),
  };
}

/** The ids of the messages on a page. */
export function feedbackOf(page: DialogPage): string[] {
  return [...page.text.matchAll(/data-feedback="([a-z_]+)"/g)].map(([, id = '']) => id);
}

export const ann = { username: 'ann', email: 'ann@example.org', password: 'correct horse battery' };
export const bob = { username: 'bob', email: 'bob@example.org', password: 'another long password' };
export const textOf = { name: 'Umbrella', description: 'Tells people to take one.' };

export async function register(visitor: Visitor, account: Values = ann): Promise<DialogPage> {
  return visitor.send('/register/', account);
}

/** Ann is signed in. */
export async function startForAnn(changes: Partial<Config> = {}) {
  const service = await startWebsite(changes);
  const visitor = createVisitor(service.baseUrl);
  await register(visitor);
  return { ...service, visitor };
}

/** The credentials page of a new application. */
export async function createApplication(visitor: Visitor, changes: Values = {}): Promise<DialogPage> {
  return visitor.send('/applications/new/', { ...textOf, plan: 'drizzle', terms: 'yes', ...changes });
}

/** The application's own path, from its credentials page. */
export function applicationPath(page: DialogPage): string {
  return /href="(\/applications\/[A-Za-z0-9]+\/)"/.exec(page.text)?.[1] ?? '';
}

export function credential(page: DialogPage, name: string): string {
  return new RegExp(`data-credential="${name}"\\s*>([^<]*)<`).exec(page.text)?.[1] ?? '';
}
