// Sign-in by name and password. The password is only in the field: submitting reads it and empties the field.
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { SignInInput } from '@rainbell/contract/app-rpc';
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
      setProblem('Enter both username and password.');
      return;
    }
    setProblem(null);
    field.value = '';
    onStart({ way: 'password', username: username.trim(), password });
  };
  return (
    <form className={`rb-stack ${classes.signIn}`} autoComplete="off" onSubmit={submit}>
      <div className="rb-pair">
        <TextInput
          label="Username or email address"
          spellCheck={false}
          autoComplete="off"
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordInput label="Password" name="rainbell-password" autoComplete="off" error={problem} />
      </div>
      <p className="rb-dim">Sent once with this request. Rainbell doesn’t store it.</p>
      <Button variant="filled" type="submit" loading={isBusy}>
        Sign in
      </Button>
    </form>
  );
}
