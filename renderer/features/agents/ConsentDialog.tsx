// Asks the user whether an agent may change something, and shows exactly what. Closing it refuses.
import { Button } from '@mantine/core';
import { useApp } from '../../store/use-app.ts';
import { FactRows } from '../../ui/controls/FactRows.tsx';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { useNow } from '../../ui/hooks/use-now.ts';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';

export function ConsentDialog() {
  const { consents, deciding, decide } = useApp((state) => state.consents);
  const now = useNow(1000);
  const [request] = consents;
  if (!request) return null;
  const { id, agent, title, facts, until } = request;
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
  const refuse = () => decide(id, false);
  return (
    <Dialog key={id} title={`Allow this agent action: ${title}?`} size="lg" isCentered onClose={() => void refuse()}>
      <p className="rb-dim">
        <ForeignText text={agent} limit={80} /> is requesting this change. If you allow it, Rainbell will make it once.
      </p>
      <dl className="rb-box rb-terms rb-lines">
        <FactRows facts={facts} />
      </dl>
      <p className="rb-dim">
        {consents.length > 1
          ? `Automatically denied in ${seconds} s if you don’t decide. ${consents.length - 1} more waiting.`
          : `Automatically denied in ${seconds} s if you don’t decide.`}
      </p>
      <RequestNotice request={deciding} failedTitle="Couldn’t apply your decision" />
      <div className="rb-buttons">
        <Button data-autofocus loading={deciding.state === 'loading'} onClick={() => void refuse()}>
          Deny
        </Button>
        <TaskButton variant="filled" task={() => decide(id, true)}>
          Allow once
        </TaskButton>
      </div>
    </Dialog>
  );
}
