// Which application calls the token endpoint (§5.3, RFC 6749 §2.3): Basic for a confidential one, its secret in the body
// as an addition, only `client_id` for a public one.
import { ServiceError } from '../http/service-error.ts';
import type { Application, ApplicationStore } from '../accounts/application-store.ts';
import type { Form } from './form-body.ts';
import { matchesHash } from './random-text.ts';

type Credentials = { clientId: string; secret: string };

/** Throws `invalid_client` (401) or `invalid_request` (400); both say what is missing and never what was sent. */
export async function authenticateClient(
  applications: ApplicationStore,
  authorization: string | undefined,
  form: Form,
): Promise<Application> {
  const application =
    authorization === undefined
      ? await authenticateByForm(applications, form)
      : await authenticateByBasic(applications, authorization, form);
  if (!application) throw invalidClient('The client id or the client secret is wrong, or the application is disabled.');
  return application;
}

async function authenticateByForm(applications: ApplicationStore, form: Form): Promise<Application | undefined> {
  const clientId = form.get('client_id');
  const secret = form.get('client_secret');
  if (clientId === undefined) {
    throw invalidClient(
      'Client authentication is missing: send Authorization: Basic, or client_id for a public client.',
    );
  }
  const application = await applications.findActive(clientId);
  return application && secretFits(application, secret ?? '') ? application : undefined;
}

async function authenticateByBasic(
  applications: ApplicationStore,
  authorization: string,
  form: Form,
): Promise<Application | undefined> {
  const readings = readBasic(authorization);
  if (form.has('client_secret')) {
    throw new ServiceError('invalid_request', 'Authenticate once: either by the Authorization header or by the body.');
  }
  const named = form.get('client_id');
  if (named !== undefined && !readings.some((reading) => reading.clientId === named)) {
    throw new ServiceError('invalid_request', 'The client_id of the body is not the one of the Authorization header.');
  }
  for (const { clientId, secret } of readings) {
    const application = await applications.findActive(clientId);
    if (application && secretFits(application, secret)) return application;
  }
  return undefined;
}

/** RFC 6749 §2.3.1 has id and secret form-encoded, which many clients leave out: both readings are tried, in this order. */
function readBasic(authorization: string): Credentials[] {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization) ?? [];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) {
    throw invalidClient('The Authorization header must be Basic, with the base64 form of client_id:client_secret.');
  }
  const raw = { clientId: text.slice(0, colon), secret: text.slice(colon + 1) };
  const decoded = { clientId: formDecoded(raw.clientId), secret: formDecoded(raw.secret) };
  const same = decoded.clientId === raw.clientId && decoded.secret === raw.secret;
  return same ? [raw] : [decoded, raw];
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** A public application has no secret and may send none; a confidential one must send its own. */
function secretFits(application: Application, secret: string): boolean {
  if (application.secret_hash === null) return application.is_public === 1 && secret === '';
  return matchesHash(secret, application.secret_hash);
}

export function invalidClient(description: string): ServiceError {
  return new ServiceError('invalid_client', description, {
    headers: { 'www-authenticate': 'Basic realm="Rainbell", charset="UTF-8"' },
  });
}
