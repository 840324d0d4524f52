// A core beside our real service, and a user who answers the sign-in page over plain HTTP: in the app's window, or in a browser
// of their own that follows the redirect to the loopback listener.
import { systemClock, type Clock } from '#shared/time/clock.ts';
import type { ConnectionFields } from '#contract/app-rpc/connections.ts';
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';
import type { DialogRequest, Host } from '#core/ports/host.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { authorize, createAgent } from '#test/service/oauth/dialog-browser.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { createMemoryHost, startCore, type CoreHarness, type MemoryHost } from '#test/core/core-harness.ts';
import { startOwnService } from '#test/service/start-own-service.ts';

export async function startRealService(): Promise<ServiceIntroduction> {
  return introductionOf(await startOwnService());
}

export type Answers = {
  decision?: 'approve' | 'deny';
  /** Makes another address of the one that the dialog redirects to. */
  change?: (location: string) => string;
};

/** Where the dialog redirects to after the sandbox's user answered. */
export async function answerDialog(
  address: string,
  account: Pick<ServiceIntroduction, 'username' | 'password'>,
  { decision = 'approve', change = (location) => location }: Answers = {},
): Promise<string> {
  const { origin, searchParams } = new URL(address);
  const page = await authorize(createAgent(origin), Object.fromEntries(searchParams), account, decision);
  if (page.location === null) throw new Error(`The dialog answered ${page.status}: ${page.text}`);
  return change(page.location);
}

/** A user with an app window, as Electron has it. */
export function personWithWindow(
  account: Pick<ServiceIntroduction, 'username' | 'password'>,
  answers: Answers = {},
): Pick<Host, 'openDialog'> & { asked: URL[] } {
  const asked: URL[] = [];
  return {
    asked,
    async openDialog(request: DialogRequest) {
      const address = request.authorizationUrl(request.redirectUri);
      asked.push(new URL(address));
      return { kind: 'redirected', url: await answerDialog(address, account, answers) };
    },
  };
}

export type AccessHarness = CoreHarness & { host: MemoryHost & Partial<Host> };

export async function startAccess({
  sandbox,
  person = {},
  clock = systemClock,
}: {
  sandbox: ServiceIntroduction;
  person?: Partial<Host>;
  clock?: Clock;
}): Promise<AccessHarness> {
  const host = { ...createMemoryHost({ receiverPort: await freePort() }), ...person };
  return startCore({ sandbox, clock, host });
}

/** A connection of one's own to the same application as the sandbox's. */
export function fieldsFor(service: ServiceIntroduction, changes: Partial<ConnectionFields> = {}): ConnectionFields {
  return {
    name: 'Staging',
    color: 'orange',
    baseUrl: service.baseUrl,
    authUrl: service.authUrl,
    clientId: service.clientId,
    isPublic: false,
    redirectUri: service.redirectUri,
    scope: 'post_metag',
    caPem: null,
    proxyUrl: null,
    ...changes,
  };
}

/** Adds a connection and makes it the one in use. */
export async function useOwn(
  { client }: Pick<CoreHarness, 'client'>,
  fields: ConnectionFields,
  clientSecret: string | null,
): Promise<string> {
  const { id } = await client.connections.create({ ...fields, clientSecret });
  await client.connections.select({ id });
  return id;
}
