// Sign-in by name and password. The password lives in the field alone: it is read at the press, and the field is empty again.
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { SignInInput } from '#contract/app-rpc/session.ts';
import classes from './AccessScreen.module.css';

type Props = { isBusy: boolean; onStart: (input: SignInInput) => void };

export function PasswordSignIn({ isBusy, onStart }: Readonly<Props>) {
  const [username, setUsername] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('rainbell-password');
    if (!(field instanceof HTMLInputElement)) return;
    const password = field.value;
    if (username.trim() === '' || password === '') {
      setProblem('Give both name and password.');
      return;
    }
    setProblem(null);
    field.value = '';
    onStart({ way: 'password', username: username.trim(), password });
  };
  return (
    <form className={classes.signIn} autoComplete="off" onSubmit={submit}>
      <div className={classes.pair}>
        <TextInput
          label="User name or email address"
          spellCheck={false}
          autoComplete="off"
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordInput label="Password" name="rainbell-password" autoComplete="off" error={problem} />
      </div>
      <p className={classes.dim}>
        The password goes into this one request. It is kept nowhere, and the field is emptied.
      </p>
      <Button type="submit" loading={isBusy}>
        Sign in
      </Button>
    </form>
  );
}
