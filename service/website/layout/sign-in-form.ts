// The fields of the sign-in page and of the authorization's.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { FastifyRequest } from 'fastify';
import type { Account } from '../../accounts/account-store.ts';
import type { SignIn } from '../../accounts/sign-in.ts';
import { textField } from './fields.ts';
import { FormError } from './form-error.ts';
import { formOf } from './site.ts';

export function signInFields(username = ''): SafeHtml {
  return html`${textField({
      name: 'username',
      label: 'Username or email address',
      autocomplete: 'username',
      value: username,
      isFocused: username === '',
    })}
    ${textField({
      name: 'password',
      label: 'Password',
      type: 'password',
      autocomplete: 'current-password',
      isFocused: username !== '',
    })} <button class="primary wide" type="submit">Sign in</button>`;
}

/** Throws a FormError. */
export async function signInByForm(signIn: SignIn, request: FastifyRequest): Promise<Account> {
  const form = formOf(request);
  const [username, password] = [form.get('username')?.trim() ?? '', form.get('password') ?? ''];
  if (username === '' || password === '') throw new FormError('credentials_missing');
  const account = await signIn({ username, password, address: request.ip });
  if (!account) throw new FormError('credentials_wrong');
  return account;
}
