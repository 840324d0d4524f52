// The form of a connection: what was typed, what is wrong with it in words, and what of it changed. Core has the last word.
import type { ConnectionFields, SavedConnection } from '#contract/app-rpc/connections.ts';
import { isLoopback } from '#shared/network/loopback.ts';

export type ConnectionForm = Omit<ConnectionFields, 'caPem' | 'proxyUrl'> & {
  caPem: string;
  proxyUrl: string;
  /** Empty keeps the one that is saved. */
  clientSecret: string;
};
export type FormField = keyof ConnectionForm;
export type FormProblems = Partial<Record<FormField, string>>;

export const emptyForm: ConnectionForm = {
  name: '',
  color: 'blue',
  baseUrl: '',
  authUrl: '',
  clientId: '',
  isPublic: false,
  redirectUri: '',
  scope: 'post_metag',
  caPem: '',
  proxyUrl: '',
  clientSecret: '',
};

export function formOf({ id: _id, kind: _kind, hasSecret: _has, ...fields }: SavedConnection): ConnectionForm {
  return { ...fields, caPem: fields.caPem ?? '', proxyUrl: fields.proxyUrl ?? '', clientSecret: '' };
}

/** By field, in words; empty where everything can be sent. `hasSecret`: one is saved already. */
export function problemsOf(form: ConnectionForm, hasSecret: boolean): FormProblems {
  const found: readonly (readonly [FormField, string | undefined])[] = [
    ['name', form.name.trim() === '' ? 'Give the connection a name.' : undefined],
    ['baseUrl', addressProblem(form.baseUrl, 'https://api.example.com')],
    ['authUrl', signInUrlProblem(form)],
    ['clientId', form.clientId.trim() === '' ? 'The developer website shows it with your application.' : undefined],
    ['clientSecret', secretProblem(form, hasSecret)],
    ['redirectUri', redirectProblem(form.redirectUri.trim())],
    ['caPem', pemProblem(form.caPem)],
    ['proxyUrl', proxyProblem(form.proxyUrl.trim())],
  ];
  return Object.fromEntries(found.filter(([, problem]) => problem !== undefined)) as FormProblems;
}

export function fieldsOf(form: ConnectionForm): ConnectionFields {
  const { clientSecret: _secret, ...fields } = form;
  return { ...fields, caPem: form.caPem.trim() || null, proxyUrl: form.proxyUrl.trim() || null };
}

/** What an edit sends: null forgets the secret that a public client has no use for, undefined keeps it. */
export function secretChange(
  { isPublic, clientSecret }: ConnectionForm,
  hasSecret: boolean,
): string | null | undefined {
  if (isPublic) return hasSecret ? null : undefined;
  return clientSecret === '' ? undefined : clientSecret;
}

/** Only the fields that differ. */
export function changesOf(saved: SavedConnection, form: ConnectionForm): Partial<ConnectionFields> {
  const fields = fieldsOf(form);
  const names = Object.keys(fields) as (keyof ConnectionFields)[];
  return Object.fromEntries(names.filter((name) => fields[name] !== saved[name]).map((name) => [name, fields[name]]));
}

function addressProblem(typed: string, example: string): string | undefined {
  const text = typed.trim();
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return `Give a full address, such as ${example}.`;
  if (url.username || url.password) return 'It must not hold a user name or password.';
  if (/[?#]/.test(text)) return 'It must end before “?” and “#”.';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'It must begin with https://, since secrets are sent there. Plain http:// is for this machine alone.';
  }
  return undefined;
}

/** Without a redirect address nobody signs in on a page. */
function signInUrlProblem({ authUrl, redirectUri }: ConnectionForm): string | undefined {
  if (authUrl.trim() === '' && redirectUri.trim() === '') return undefined;
  return addressProblem(authUrl, 'https://login.example.com');
}

function secretProblem({ isPublic, clientSecret }: ConnectionForm, hasSecret: boolean): string | undefined {
  if (isPublic || hasSecret || clientSecret.trim() !== '') return undefined;
  return 'Paste the secret of the application, or say that it is a public client.';
}

function redirectProblem(text: string): string | undefined {
  if (text === '') return undefined;
  const url = URL.parse(text);
  if (!url || /\s/.test(text)) return 'Give it as you registered it, such as https://app.example.com/done.';
  if (text.includes('#')) return 'It must not have a fragment (#…), which RFC 6749 §3.1.2 forbids.';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'It must be https://, http:// on this machine, or of a scheme of your own such as com.example.app:/done.';
  }
  return undefined;
}

function pemProblem(text: string): string | undefined {
  if (text.trim() === '' || text.includes('-----BEGIN CERTIFICATE-----')) return undefined;
  return text.includes('PRIVATE KEY')
    ? 'This is a private key; paste the certificate instead.'
    : 'It must hold “-----BEGIN CERTIFICATE-----”: the certificate as text (PEM).';
}

function proxyProblem(text: string): string | undefined {
  if (text === '' || /^https?:$/.test(URL.parse(text)?.protocol ?? '')) return undefined;
  return 'Give a full address, such as http://proxy.example.com:3128.';
}
