// Where the callbacks of a monitor go: to this app, or to another URL.
import { Radio, TextInput } from '@mantine/core';
import type { CallbackTarget } from '@rainbell/contract/app-rpc';

type Props = {
  /** What "This app" means. */
  description: string;
  target: string;
  address: string;
  problem: string | null | undefined;
  onTarget: (target: CallbackTarget['kind']) => void;
  onAddress: (address: string) => void;
};

export function CallbackFields(props: Readonly<Props>) {
  const { description, target, address, problem, onTarget, onAddress } = props;
  return (
    <>
      <Radio.Group label="Callback" value={target} onChange={(value) => onTarget(value as CallbackTarget['kind'])}>
        <div className="rb-column">
          <Radio value="this-app" label="This app" description={description} data-autofocus />
          <Radio value="address" label="Another URL" />
        </div>
      </Radio.Group>
      {target === 'address' && (
        <TextInput
          label="Callback URL"
          type="url"
          placeholder="https://example.net/rain"
          value={address}
          error={problem}
          onChange={(event) => onAddress(event.currentTarget.value)}
        />
      )}
    </>
  );
}
