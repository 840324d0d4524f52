// Access: the application token and the user token side by side, the five ways to get one, and the sign-in log.
import { useEffect } from 'react';
import { useOpenSection } from '../../widgets/use-open-section.ts';
import { useApp } from '../../store/use-app.ts';
import { LearnMore } from '../../widgets/LearnMore.tsx';
import { CardScreen } from '../../ui/controls/CardScreen.tsx';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import classes from './AccessScreen.module.css';
import { Flows } from './Flows.tsx';
import { SignIn } from './SignIn.tsx';
import { TokenPanel } from './TokenPanel.tsx';

export function AccessScreen() {
  const { state, request, load } = useApp((all) => all.session);
  useEffect(() => void load(), [load]);
  useOpenSection('access');
  return (
    <CardScreen
      title="Access"
      intro={
        <>
          {state && `How the app authenticates with ${state.connectionName}.`} The app picks the right token for each
          request: monitors need the application token. <LearnMore to="access?at=get-a-token" about="access tokens" />
        </>
      }
    >
      <RequestNotice
        request={request}
        failedTitle="Couldn’t load the tokens"
        loadingText="Loading tokens"
        hasData={state !== null}
        onRetry={() => void load()}
      />
      {state && (
        <>
          <div className={classes.tokens}>
            <TokenPanel key={`application ${state.connectionId}`} card={state.application} />
            <TokenPanel key={`user ${state.connectionId}`} card={state.user} />
          </div>
          <SignIn key={state.connectionId} session={state} />
        </>
      )}
      <Flows />
    </CardScreen>
  );
}
