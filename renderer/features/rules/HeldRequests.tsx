// Requests that a rule holds, and the form that answers one of them.
import { Button, NumberInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { HeldRequest } from '@rainbell/contract/app-rpc';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { openCallback } from '../callbacks/selectors.ts';
import { headersOfText, headersProblem } from '../callbacks/send/send-form.ts';
import { FormButtons, FormDialog } from '../../ui/dialogs/FormDialog.tsx';
import { boundFields } from '../../ui/hooks/bound-fields.ts';
import { submitBy } from '../../ui/hooks/submit-by.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { useUnsaved } from '../../ui/hooks/use-unsaved.ts';
import { plural } from '@rainbell/shared';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';

export function HeldRequests() {
  const held = useApp((state) => state.rules.held);
  const store = useAppStore();
  const [responded, setResponded] = useState<HeldRequest | null>(null);
  const now = useNow(1000);
  if (held.length === 0) return null;
  return (
    <section className="rb-card rb-column rb-padded" aria-label="Held requests">
      <h2 className="rb-tone" data-tone="warn">
        {plural(held.length, [
          '# request held, waiting for your response',
          '# requests held, waiting for your response',
        ])}
      </h2>
      <ul className="rb-column rb-tight rb-short">
        {held.map((request) => (
          <li key={request.callbackId} className="rb-row rb-wrap">
            <span className="rb-fill rb-small rb-mono rb-break">
              {`${request.callbackId} `}
              <ForeignText text={`${request.method} ${request.target}`} />
            </span>
            <span className="rb-note">{`504 in ${Math.max(0, Math.ceil((Date.parse(request.until) - now) / 1000))} s`}</span>
            <Button size="compact-xs" onClick={() => openCallback(store.getState(), request.callbackId)}>
              Open
            </Button>
            <Button variant="filled" size="compact-xs" onClick={() => setResponded(request)}>
              Respond…
            </Button>
          </li>
        ))}
      </ul>
      {responded && (
        <FormDialog title={`Respond to request ${responded.callbackId}`} size="lg" onClose={() => setResponded(null)}>
          <ResponseForm request={responded} onDone={() => setResponded(null)} />
        </FormDialog>
      )}
    </section>
  );
}

function ResponseForm({ request, onDone }: { readonly request: HeldRequest; readonly onDone: () => void }) {
  const { respondToHeld, responding } = useApp((state) => state.rules);
  const [form, setForm] = useState({ status: '200', headers: '', body: '' });
  const [problem, setProblem] = useState<string>();
  useUnsaved(form);
  const { text } = boundFields(form, setForm, { headers: problem });
  const send = async () => {
    const wrong = headersProblem(form.headers);
    setProblem(wrong);
    if (wrong !== undefined) return;
    const response = { status: Number(form.status), headers: headersOfText(form.headers), body: form.body };
    if (await respondToHeld(request.callbackId, response)) onDone();
  };
  return (
    <form className="rb-stack" onSubmit={submitBy(send)}>
      <p className="rb-dim">
        <ForeignText text={`${request.method} ${request.target}`} limit={500} />, held by the rule “{request.rule}”.
      </p>
      <NumberInput
        label="Status"
        data-autofocus
        min={200}
        max={599}
        allowDecimal={false}
        clampBehavior="blur"
        value={form.status}
        onChange={(status) => setForm({ ...form, status: String(status) })}
      />
      <Textarea label="Headers" placeholder="Retry-After: 30" autosize minRows={1} maxRows={6} {...text('headers')} />
      <Textarea label="Body" autosize minRows={3} maxRows={12} maxLength={65_536} {...text('body')} />
      <RequestNotice request={responding} failedTitle="Couldn’t send the response" />
      <FormButtons>
        <Button variant="filled" type="submit" loading={responding.state === 'loading'}>
          Send response
        </Button>
      </FormButtons>
    </form>
  );
}
