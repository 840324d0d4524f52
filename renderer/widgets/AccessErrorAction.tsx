// What a person can do at once about a refusal: take the application's token for monitors (§5.7), change a public client,
// which cannot get one, or sign in.
import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useApp } from '#renderer/store/use-app.ts';

type Props = { needs: 'client_credentials' | 'sign_in'; onRetry?: (() => void) | undefined };

export function AccessRemedy({ needs, onRetry }: Readonly<Props>) {
  const signIn = useApp((state) => state.session.signIn);
  const isBusy = useApp((state) => state.session.signingIn?.request.state === 'loading');
  const goTo = useApp((state) => state.frame.goTo);
  const openEditor = useApp((state) => state.connections.openEditor);
  const connection = useApp(({ connections: { items, selectedId } }) => items.find(({ id }) => id === selectedId));
  const takeToken = async () => {
    if (await signIn({ way: 'client_credentials' })) onRetry?.();
    else goTo('access');
  };
  if (needs === 'sign_in') {
    return (
      <Button size="xs" leftSection={<IconKey size={15} />} onClick={() => goTo('access')}>
        Sign in…
      </Button>
    );
  }
  if (connection?.isPublic) {
    return (
      <Button size="xs" leftSection={<IconKey size={15} />} onClick={() => openEditor({ kind: 'edit', connection })}>
        Edit the connection…
      </Button>
    );
  }
  return (
    <Button size="xs" loading={isBusy} leftSection={<IconKey size={15} />} onClick={() => void takeToken()}>
      Get an application token
    </Button>
  );
}
