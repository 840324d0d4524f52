// The selected callback as one HTML file for someone else: what is left out, and every byte that leaves.
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect } from 'react';
import type { Callback } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { formatSize } from '../../../ui/text/durations.ts';
import { CodeView } from '../../../viewers/CodeView.tsx';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';

export function ProofDialog({ id, onClose }: Pick<Callback, 'id'> & { readonly onClose: () => void }) {
  const { proof, proving, prepareProof, saveProof } = useApp((state) => state.callbackFiles);
  useEffect(() => void prepareProof(id), [id, prepareProof]);
  return (
    <Dialog title={`Export callback ${id} as a page`} size="xl" onClose={onClose}>
      <p>
        A single HTML file that opens offline in any browser. It separates what the signature covers from the rest of
        the request, the response, and the verdict. Secret headers and URL parameters are masked; the body is included
        unchanged.
      </p>
      <RequestNotice
        request={proving}
        failedTitle="Couldn’t prepare the page"
        loadingText="Preparing the page"
        hasData={proof !== null}
        onRetry={() => void prepareProof(id)}
      />
      {proof && (
        <>
          <section aria-label="Left out or masked">
            <h3>Left out or masked</h3>
            <ul className="rb-bullets">
              {proof.redactions.map((redaction) => (
                <li key={redaction}>{redaction}</li>
              ))}
            </ul>
          </section>
          <div className="rb-buttons">
            <Button
              variant="filled"
              leftSection={<IconDownload />}
              onClick={() => {
                saveProof();
                onClose();
              }}
            >
              Save page
            </Button>
          </div>
          <CodeView source={proof.html} as="text" label={`All ${formatSize(proof.html.length)} of ${proof.fileName}`} />
        </>
      )}
    </Dialog>
  );
}
