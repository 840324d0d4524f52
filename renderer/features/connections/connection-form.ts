// The form of a connection: the typed values, and which of them changed. Core validates them.
import type { ConnectionFields, SavedConnection } from '@rainbell/contract/app-rpc';

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

export function fieldsOf(form: ConnectionForm): ConnectionFields {
  const { clientSecret: _secret, ...fields } = form;
  return { ...fields, caPem: form.caPem.trim() || null, proxyUrl: form.proxyUrl.trim() || null };
}

/** Null deletes the secret, which a public client doesn't need; undefined keeps it. Core refuses an empty one. */
export function secretChange(
  { isPublic, clientSecret }: ConnectionForm,
  hasSecret: boolean,
): string | null | undefined {
  if (isPublic) return hasSecret ? null : undefined;
  return clientSecret === '' && hasSecret ? undefined : clientSecret;
}
