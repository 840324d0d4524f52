// Authenticates the application at the token endpoint (docs/interface.md §5.3, RFC 6749 §2.3): Basic for a confidential one, its
// secret in the body as an extension, only `client_id` for a public one.
import { ServiceError } from '../errors/service-error.ts';
import type { Application, ApplicationStore } from '../accounts/application-store.ts';
import type { Form } from './form-body.ts';
import { hashOf, isSameSecret } from '../secrets/random-text.ts';

type Credentials = { clientId: string; secret: string };

/** Valid credentials, or the error; `clientId`: the named application, if it exists. */
type AuthenticationResult = { application: Application } | { refusal: ServiceError; clientId?: string };

/** Verifies the secret first, and counts only a wrong one. The errors never repeat what was sent. */
export async function authenticateClient(
  applications: ApplicationStore,
  authorization: string | undefined,
  form: Form,
  countFailure: (clientId: string | undefined) => Promise<void>,
): Promise<Application> {
  const result =
    authorization === undefined
      ? await authenticateByForm(applications, form)
      : await authenticateByBasic(applications, authorization, form);
  if ('application' in result) return result.application;
  await countFailure(result.clientId);
  throw result.refusal;
}

async function authenticateByForm(applications: ApplicationStore, form: Form): Promise<AuthenticationResult> {
  const clientId = form.get('client_id');
  if (clientId === undefined) {
    const text = 'Client authentication is missing: send Authorization: Basic, or client_id for a public client.';
    return { refusal: invalidClient(text) };
  }
  return compareSecret(applications, { clientId, secret: form.get('client_secret') ?? '' });
}

async function authenticateByBasic(
  applications: ApplicationStore,
  authorization: string,
  form: Form,
): Promise<AuthenticationResult> {
  const credentials = readBasic(authorization);
  if (!credentials) {
    const text = 'The Authorization header must be Basic, with client_id:client_secret in base64.';
    return { refusal: invalidClient(text) };
  }
  if (form.has('client_secret')) {
    throw new ServiceError('invalid_request', 'Authenticate once: either in the Authorization header or in the body.');
  }
  const named = form.get('client_id');
  if (named !== undefined && named !== credentials.clientId) {
    throw new ServiceError(
      'invalid_request',
      'The client_id in the body differs from the one in the Authorization header.',
    );
  }
  return compareSecret(applications, credentials);
}

async function compareSecret(
  applications: ApplicationStore,
  { clientId, secret }: Credentials,
): Promise<AuthenticationResult> {
  const application = await applications.findActive(clientId);
  if (application && secretFits(application, secret)) return { application };
  const refusal = invalidClient('The client ID or the client secret is wrong, or the application is disabled.');
  return application ? { refusal, clientId: application.client_id } : { refusal };
}

/** RFC 6749 §2.3.1 requires form-encoded ID and secret, which many clients omit; for letters and digits, both are the same. */
function readBasic(authorization: string): Credentials | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization) ?? [];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return { clientId: formDecoded(text.slice(0, colon)), secret: formDecoded(text.slice(colon + 1)) };
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** A public client must send no secret; a confidential one must send its own. */
function secretFits(application: Application, secret: string): boolean {
  if (application.secret_hash === null) return application.is_public === 1 && secret === '';
  return isSameSecret(application.secret_hash, hashOf(secret));
}

function invalidClient(description: string): ServiceError {
  return new ServiceError('invalid_client', description, {
    headers: { 'www-authenticate': 'Basic realm="Rainbell", charset="UTF-8"' },
  });
}
