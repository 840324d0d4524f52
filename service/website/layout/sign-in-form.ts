// The fields of the sign-in page and of the authorization's.
import type { FastifyRequest } from 'fastify';
import type { Account } from '../../accounts/account-store.ts';
import type { SignIn } from '../../accounts/sign-in.ts';
import { type Field, passwordField, usernameField } from './fields.ts';
import { FormError } from './form-error.ts';
import { formOf } from './site.ts';

export const nameField: Field = { ...usernameField, label: 'Username or email address' };

export function signInFields(username = ''): Field[] {
  return [
    { ...nameField, value: username, isFocused: username === '' },
    { ...passwordField, label: 'Password', isFocused: username !== '' },
  ];
}

export async function signInByForm(signIn: SignIn, request: FastifyRequest): Promise<Account> {
  const form = formOf(request);
  const [username, password] = [form.get('username')?.trim() ?? '', form.get('password') ?? ''];
  if (username === '' || password === '') throw new FormError('credentials_missing');
  const account = await signIn({ username, password, address: request.ip });
  if (!account) throw new FormError('credentials_wrong');
  return account;
}
