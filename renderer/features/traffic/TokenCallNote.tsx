// Why a call of the token endpoint is not sent again, and where a new token is had instead.
import { Button } from '@mantine/core';
import { useApp } from '#renderer/store/use-app.ts';
import classes from './ExchangeDetail.module.css';

export function TokenCallNote() {
  const goTo = useApp((state) => state.frame.goTo);
  return (
    <p className={classes.note}>
      A token call is not sent again: its secrets are not kept here, and a refresh token may work only once.{' '}
      <Button size="compact-xs" variant="light" onClick={() => goTo('access')}>
        Refresh now on Access
      </Button>
    </p>
  );
}
