// Looks for a newer version of the app on request.
import { Anchor } from '@mantine/core';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import type { UpdateState } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import type { SettingRow } from '@rainbell/contract/app-rpc';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { SettingFrame } from './SettingFrame.tsx';

export function UpdateCheck({ row: { title } }: { readonly row: SettingRow }) {
  const update = useApp((state) => state.frame.status?.update);
  const request = useApp((state) => state.frame.updateCheck);
  const check = useApp((state) => state.frame.checkForUpdate);
  return (
    <SettingFrame
      title={title}
      meaning={
        <span role="status">
          <UpdateResult update={update} />
        </span>
      }
    >
      <TaskButton variant="default" loading={request.state === 'loading'} task={() => check()}>
        Check now
      </TaskButton>
      <RequestNotice request={request} failedTitle="Couldn’t check for updates" />
    </SettingFrame>
  );
}

function UpdateResult({ update }: { readonly update: UpdateState | undefined }) {
  switch (update?.state) {
    case undefined:
    case 'unchecked':
      return 'Not checked since the app started.';
    case 'current':
      return 'This is the latest version.';
    case 'failed':
      return update.problem.message;
    case 'available':
      return (
        <Anchor href={update.pageUrl} target="_blank" rel="noreferrer">
          {`Rainbell ${update.version} is available`}
        </Anchor>
      );
  }
}
