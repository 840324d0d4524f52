// How the last sign-in ended, if it failed: a message, with the flow that shows why.
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconHandStop } from '@tabler/icons-react';
import { useApp } from '../../store/use-app.ts';
import { showNew } from '../../ui/hooks/show-new.ts';
import { TrafficButton } from '../../widgets/TrafficButton.tsx';
import { outcomeTitles } from './access-labels.ts';
import classes from './AccessScreen.module.css';
import { FlowTimeline } from './Flows.tsx';

export function SignInOutcome() {
  const result = useApp((state) => state.session.result);
  const dismiss = useApp((state) => state.session.dismissResult);
  const flow = useApp((state) => state.session.flows.find(({ id }) => id === state.session.result?.flowId));
  if (!result || result.outcome === 'approved') return null;
  const isChoice = result.outcome === 'denied' || result.outcome === 'closed';
  return (
    <div className={classes.outcome} data-choice={isChoice || undefined} role="alert" ref={showNew} key={result.flowId}>
      <div className="rb-row">
        {isChoice ? <IconHandStop size={19} aria-hidden /> : <IconAlertTriangle size={19} aria-hidden />}
        <h3>{outcomeTitles[result.outcome]}</h3>
        <span className="rb-fill" />
        {'problem' in result && <TrafficButton id={result.problem?.details.trafficId} size="compact-xs" />}
        <Button size="compact-xs" variant="subtle" onClick={dismiss}>
          Dismiss
        </Button>
      </div>
      <p>{result.message}</p>
      {result.outcome === 'refused' && result.error !== null && (
        <p>
          Message from the service: <code className="rb-mono">{result.error}</code>
          {result.description !== null && ` – ${result.description}`}
        </p>
      )}
      {flow && <FlowTimeline flow={flow} />}
    </div>
  );
}
