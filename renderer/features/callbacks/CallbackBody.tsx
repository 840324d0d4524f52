// A callback's body in the forms that its bytes allow. Bodies are only ever shown as text; nothing in them runs.
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Callback } from '#contract/procedures/callbacks.ts';
import { CodeView } from '#renderer/ui/CodeView.tsx';
import { CopyIcon } from '#renderer/ui/CopyIcon.tsx';
import { HeaderTable } from '#renderer/ui/HeaderTable.tsx';
import { sizeWords } from '#renderer/ui/durations.ts';
import { isJson } from '#renderer/ui/json-text.ts';
import { saveFile } from '#renderer/ui/save-file.ts';
import { SegmentedControl } from '#renderer/ui/SegmentedControl.tsx';
import styles from '#renderer/ui/DetailCard.module.css';
import { type BodyForm, formFields, formsOf, partsOf } from './body-forms.ts';
import { bytesOf, hexDump, textOf } from './body-text.ts';
import classes from './CallbackDetail.module.css';
import { JsonTree } from './JsonTree.tsx';

const labels: Readonly<Record<BodyForm, string>> = {
  tree: 'Tree',
  text: 'Text',
  hex: 'Hex',
  form: 'Form',
  parts: 'Parts',
};

type Bodied = Pick<Callback, 'id' | 'bodyBase64' | 'headers'>;

export function CallbackBody({ callback }: { readonly callback: Bodied }) {
  const bytes = useMemo(() => bytesOf(callback.bodyBase64), [callback.bodyBase64]);
  const contentType = callback.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const forms = useMemo(() => formsOf(bytes, contentType), [bytes, contentType]);
  const [chosen, setForm] = useState<BodyForm | null>(null);
  const form = chosen !== null && forms.includes(chosen) ? chosen : (forms[0] ?? 'hex');
  const text = useMemo(() => textOf(bytes), [bytes]);
  if (bytes.length === 0) return <p className={styles.none}>The request had no body.</p>;
  return (
    <div className={styles.part}>
      <FormView form={form} bytes={bytes} text={text ?? ''} contentType={contentType} />
      <div className={styles.tools}>
        <SegmentedControl
          size="xs"
          aria-label="Form of the body"
          value={form}
          onChange={setForm}
          data={forms.map((value) => ({ value, label: labels[value] }))}
        />
        {text === undefined && <span>The bytes are not UTF-8 text.</span>}
        <CopyIcon text={text ?? hexDump(bytes)} label="Copy the body" />
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconDownload size={14} />}
          onClick={() => saveFile(`callback-${callback.id}.body`, 'application/octet-stream', bytes)}
        >
          Save
        </Button>
      </div>
    </div>
  );
}

type FormProps = { form: BodyForm; bytes: Uint8Array; text: string; contentType: string };

function FormView({ form, bytes, text, contentType }: Readonly<FormProps>) {
  switch (form) {
    case 'tree':
      return <JsonTree text={text} />;
    case 'form':
      return <HeaderTable headers={formFields(text)} />;
    case 'parts':
      return <Parts bytes={bytes} contentType={contentType} />;
    case 'text':
      return <CodeView text={text} label="Body" isJson={isJson(text)} />;
    case 'hex':
      return <CodeView text={hexDump(bytes)} label="Body" />;
  }
}

function Parts({ bytes, contentType }: Pick<FormProps, 'bytes' | 'contentType'>) {
  const parts = useMemo(() => partsOf(bytes, contentType) ?? [], [bytes, contentType]);
  return (
    <ol className={classes.parts} aria-label="Parts of the body">
      {parts.map((part, index) => (
        // Parts may share a name; their place is their identity.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <h3>
            {part.name ?? 'without a name'}
            {part.fileName !== undefined && ` · ${part.fileName}`} · {sizeWords(part.bytes.length)}
          </h3>
          <HeaderTable headers={part.headers} />
          <CodeView text={textOf(part.bytes) ?? hexDump(part.bytes)} label={`Part ${index + 1}`} maxHeight={200} />
        </li>
      ))}
    </ol>
  );
}
