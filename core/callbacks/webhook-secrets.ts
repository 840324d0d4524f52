// The secrets with which callbacks are signed (Standard Webhooks), one per connection: typed in and kept among the secrets,
// or fetched from a service that tells its own, as our sandbox does.
import type { Clock } from '#shared/time/clock.ts';
import { sandboxWebhookSecretsSchema } from '#contract/service-api/sandbox.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { Connection } from '../connection/connection.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { SecretsPort } from '#core/ports/host.ts';
import type { Log } from '#core/ports/log.ts';
import type { SigningFacts } from '../receiver/signature-check.ts';

export type WebhookSecrets = {
  /** What is known now; what is not known yet is being fetched, and `onChanged` tells when it came. */
  facts: () => SigningFacts;
  source: () => Promise<'none' | 'typed' | 'service'>;
  /** Throws AppFailure INVALID_INPUT where it is no such secret. */
  set: (secret: string | null) => Promise<void>;
};

type Known = { source: 'none' | 'typed' | 'service'; secrets: readonly string[] };

type WebhookSecretsDependencies = {
  activeConnection: ActiveConnection;
  secrets: SecretsPort;
  clock: Clock;
  log: Log;
  onChanged: () => void;
};

/** `of`: the connection it was read for; another one is another object. */
type Entry = { of: Connection; readAt: number; reading: Promise<Known>; now: Known };

const none: Known = { source: 'none', secrets: [] };
/** A service can change its secret; so often it is asked again, when callbacks are looked at. */
const askAgainMs = 60_000;

export function createWebhookSecrets({
  activeConnection,
  secrets,
  clock,
  log,
  onChanged,
}: WebhookSecretsDependencies): WebhookSecrets {
  let entry: Entry | undefined;

  function readAgain(of: Connection): Entry {
    const now = entry?.of === of ? entry.now : none;
    const next: Entry = { of, readAt: clock.elapsed(), reading: readFor(of), now };
    entry = next;
    next.reading.then(
      (value) => {
        const isNew = value.secrets.join() !== next.now.secrets.join();
        next.now = value;
        if (isNew) onChanged();
      },
      (error: unknown) => log.warn({ err: error }, 'the secret for signatures could not be read'),
    );
    return next;
  }

  function entryOf(of: Connection): Entry {
    return entry?.of === of && clock.elapsed() - entry.readAt < askAgainMs ? entry : readAgain(of);
  }

  async function readFor(of: Connection): Promise<Known> {
    const typed = await secrets.read(nameFor(of));
    if (typed !== null) return { source: 'typed', secrets: [typed] };
    const told = of.isSandbox ? await askService(of) : [];
    return told.length > 0 ? { source: 'service', secrets: told } : none;
  }

  return {
    facts() {
      const of = activeConnection.present();
      if (!of) return { secrets: [], isClockMovable: false };
      const { secrets: known, source } = entryOf(of).now;
      // A secret that was typed in is one of a service under test, whose clock counts.
      return { secrets: known, isClockMovable: of.isSandbox && source !== 'typed' };
    },
    async source() {
      return (await entryOf(await activeConnection.current()).reading).source;
    },
    async set(secret) {
      if (secret !== null) requireSecret(secret);
      const of = await activeConnection.current();
      await secrets.write(nameFor(of), secret);
      await readAgain(of).reading;
    },
  };
}

function nameFor({ profile }: Connection): string {
  return `webhook-secret:${profile.id}`;
}

/** Our sandbox tells the secrets that sign now; another service, or an older one, has no such address. */
async function askService({ api }: Connection): Promise<readonly string[]> {
  try {
    const exchange = await api.call({ method: 'GET', path: '/sandbox/webhook-secrets', isBackground: true });
    const told = sandboxWebhookSecretsSchema.safeParse((await exchange.json()).value).data;
    return [told?.webhook_secret, told?.previous_webhook_secret].filter((secret) => typeof secret === 'string');
  } catch (error) {
    if (error instanceof AppFailure) return [];
    throw error;
  }
}

/** 24 to 64 bytes in base64, with or without the prefix `whsec_` (Standard Webhooks). */
function requireSecret(secret: string): void {
  const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const isBase64 = /^(whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(secret);
  if (isBase64 && bytes.length >= 16 && bytes.length <= 64) return;
  throw new AppFailure(
    'INVALID_INPUT',
    'The secret must be whsec_ and 24 to 64 bytes in base64, as the service showed it.',
    { field: 'secret' },
  );
}
