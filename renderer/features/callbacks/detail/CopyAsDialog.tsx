// A callback as a command or code of a tool, with what that tool can't send as received.
import { Button, SegmentedControl } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Callback } from '@rainbell/contract/app-rpc';
import { useCopy } from '../../../store/use-copy.ts';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { CodeView } from '../../../viewers/CodeView.tsx';
import { callbackCode, copyTools } from '../../../viewers/request-code.ts';

type Props = { callback: Callback; baseUrl: string; onClose: () => void };

export function CopyAsDialog({ callback, baseUrl, onClose }: Readonly<Props>) {
  const [tool, setTool] = useState<(typeof copyTools)[number]>('cURL');
  const { text, limits } = useMemo(() => callbackCode(tool, callback, baseUrl), [tool, callback, baseUrl]);
  const copy = useCopy();
  return (
    <Dialog title={`Copy callback ${callback.id}`} size="xl" onClose={onClose}>
      <SegmentedControl
        size="xs"
        aria-label="Tool"
        value={tool}
        onChange={setTool}
        data={copyTools.map((value) => ({ value, label: value === 'Python' ? 'Python requests' : value }))}
      />
      <CodeView source={text} as="text" label={`The callback as ${tool}`} />
      {limits.length === 0 ? (
        <p>Sends the request exactly as it arrived.</p>
      ) : (
        <section aria-label="Differences">
          <h3>Differences from the request</h3>
          <ul className="rb-bullets">
            {limits.map((limit) => (
              <li key={limit}>{limit}</li>
            ))}
          </ul>
        </section>
      )}
      <div className="rb-buttons">
        <Button
          variant="filled"
          leftSection={<IconCopy />}
          onClick={() => {
            copy({ text, message: `Callback copied as ${tool}` });
            onClose();
          }}
        >
          Copy
        </Button>
      </div>
    </Dialog>
  );
}
