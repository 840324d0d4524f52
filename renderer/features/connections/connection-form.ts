// The form of a connection: the typed values, error messages, and which of them changed. Core validates again.
import type { ConnectionFields, SavedConnection } from '@rainbell/contract/app-rpc';
import { isLoopback } from '@rainbell/shared';

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

/** Returns error messages by field; none if everything can be sent. `hasSecret`: one is saved already. */
export function problemsOf(form: ConnectionForm, hasSecret: boolean): FormProblems {
  const found: readonly (readonly [FormField, string | undefined])[] = [
    ['name', form.name.trim() === '' ? 'Enter a name for the connection.' : undefined],
    ['baseUrl', addressProblem(form.baseUrl, 'https://api.example.com')],
    ['authUrl', signInUrlProblem(form)],
    [
      'clientId',
      form.clientId.trim() === ''
        ? 'Enter the client ID shown for your application on the developer website.'
        : undefined,
    ],
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

/** The changes of an edit: null deletes the secret, which a public client doesn't need, undefined keeps it. */
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
  if (!url || !/^https?:$/.test(url.protocol)) return `Enter a full URL, such as ${example}.`;
  if (url.username || url.password) return 'Remove the username and password.';
  if (/[?#]/.test(text)) return 'Remove the query and fragment (“?” or “#” and everything after it).';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'Use https://, because secrets are sent to this URL. http:// works only for this computer.';
  }
  return undefined;
}

/** Both may be empty: then the user can’t sign in on a page. */
function signInUrlProblem({ authUrl, redirectUri }: ConnectionForm): string | undefined {
  if (authUrl.trim() === '' && redirectUri.trim() === '') return undefined;
  return addressProblem(authUrl, 'https://login.example.com');
}

function secretProblem({ isPublic, clientSecret }: ConnectionForm, hasSecret: boolean): string | undefined {
  if (isPublic || hasSecret || clientSecret.trim() !== '') return undefined;
  return 'Paste the application’s secret, or turn on “Public client (no secret)”.';
}

function redirectProblem(text: string): string | undefined {
  if (text === '') return undefined;
  const url = URL.parse(text);
  if (!url || /\s/.test(text))
    return 'Enter the redirect URL registered for the application, such as https://app.example.com/done.';
  if (text.includes('#')) return 'Remove the fragment (#…).';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'Use https://, http:// on this computer, or a custom scheme, such as com.example.app:/done.';
  }
  return undefined;
}

function pemProblem(text: string): string | undefined {
  if (text.trim() === '' || text.includes('-----BEGIN CERTIFICATE-----')) return undefined;
  const isPrivateKey = text.includes('PRIVATE KEY');
  return isPrivateKey
    ? 'This is a private key; paste the certificate instead.'
    : 'Paste the certificate as text (PEM), including “-----BEGIN CERTIFICATE-----”.';
}

function proxyProblem(text: string): string | undefined {
  if (text === '' || /^https?:$/.test(URL.parse(text)?.protocol ?? '')) return undefined;
  return 'Enter a full URL, such as http://proxy.example.com:3128.';
}
