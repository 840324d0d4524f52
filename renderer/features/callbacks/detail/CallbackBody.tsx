// A callback's body in the forms that its bytes allow. Bodies are only ever shown as text; nothing in them runs.
import { Button, SegmentedControl } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Callback } from '@rainbell/contract/app-rpc';
import { CopyIcon } from '../../../ui/controls/CopyIcon.tsx';
import { formatSize } from '../../../ui/text/durations.ts';
import { ForeignText } from '../../../ui/text/ForeignText.tsx';
import { saveFile } from '../../../ui/hooks/save-file.ts';
import { charsetOfBytes } from '@rainbell/shared';
import { bytesOf, hexDump, textOf } from '../../../viewers/body-text.ts';
import { CodeView, Working } from '../../../viewers/CodeView.tsx';
import { HeaderTable } from '../../../viewers/HeaderTable.tsx';
import { useTask } from '../../../viewers/run-task.ts';
import { type BodyForm, type Source, sourceLength, type TaskResult } from '../../../viewers/tasks.ts';
import classes from './CallbackDetail.module.css';

type BodyForms = TaskResult<'body'>;

const labels: Readonly<Record<BodyForm, string>> = {
  json: 'JSON',
  text: 'Text',
  hex: 'Hex',
  form: 'Form',
  parts: 'Parts',
};

type Bodied = Pick<Callback, 'id' | 'bodyBase64' | 'headers' | 'decoded' | 'sizeBytes'>;

export function CallbackBody({ callback }: { readonly callback: Bodied }) {
  const { decoded } = callback;
  const [isRaw, setRaw] = useState(false);
  const canDecode = decoded !== null && (decoded.sizeBytes > 0 || decoded.problem === null);
  const isDecoded = canDecode && !isRaw;
  if (callback.bodyBase64 === '') return <p className="rb-dim">The request had no body.</p>;
  return (
    <>
      {decoded && (
        <div className="rb-row rb-wrap rb-note">
          <span>{decodedText(callback.sizeBytes, decoded)}</span>
          {canDecode && (
            <SegmentedControl
              size="xs"
              aria-label="Body encoding"
              value={isDecoded ? 'decoded' : 'raw'}
              onChange={(value) => setRaw(value === 'raw')}
              data={[
                { value: 'decoded', label: 'Decoded' },
                { value: 'raw', label: 'As received' },
              ]}
            />
          )}
        </div>
      )}
      <BodyForms
        key={String(isDecoded)}
        callback={callback}
        bodyBase64={isDecoded ? decoded.bodyBase64 : callback.bodyBase64}
      />
    </>
  );
}

/** For instance `gzip, 201 B → 388 B`. */
function decodedText(sizeBytes: number, decoded: NonNullable<Callback['decoded']>): string {
  const isNothing = decoded.sizeBytes === 0 && decoded.problem !== null;
  const sizes = `${decoded.coding}, ${formatSize(sizeBytes)}${isNothing ? '' : ` → ${formatSize(decoded.sizeBytes)}`}`;
  return decoded.problem === null ? sizes : `${sizes}. ${decoded.problem}`;
}

type BodyFormsProps = { callback: Bodied; bodyBase64: string };

function BodyForms({ callback, bodyBase64 }: Readonly<BodyFormsProps>) {
  const contentType = callback.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  // The first bytes show a byte order mark or UTF-16.
  const charset = charsetOfBytes(bytesOf(bodyBase64.slice(0, 8)), contentType);
  const source = useMemo(() => ({ base64: bodyBase64, charset }), [bodyBase64, charset]);
  const input = useMemo(() => ({ source, contentType }), [source, contentType]);
  const found = useTask('body', input, { length: sourceLength(source), subject: source });
  const [chosen, setForm] = useState<BodyForm | null>(null);
  // Other bodies need no analysis before they are shown: the first view distinguishes JSON, text, and bytes.
  if (found.state === 'working' && /form-urlencoded|multipart/i.test(contentType))
    return <Working length={sourceLength(source)} />;
  const { forms, isText, fields, parts } = found.state === 'done' ? found.value : unknownForms;
  const form = chosen !== null && forms.includes(chosen) ? chosen : (forms[0] ?? 'json');
  return (
    <div className="rb-column">
      <FormView form={form} source={source} isText={isText} fields={fields} parts={parts} />
      <div className="rb-row rb-wrap rb-note">
        {forms.length > 0 && (
          <SegmentedControl
            size="xs"
            aria-label="Body view"
            value={form}
            onChange={setForm}
            data={forms.map((value) => ({ value, label: labels[value] }))}
          />
        )}
        {!isText && <span>{`The bytes are not valid ${charset.toUpperCase()} text.`}</span>}
        <CopyIcon text={() => copyOf(bodyBase64, charset)} label="Copy the body" />
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconDownload />}
          onClick={() => saveFile(`callback-${callback.id}.body`, 'application/octet-stream', bytesOf(bodyBase64))}
        >
          Save
        </Button>
      </div>
    </div>
  );
}

/** Until a large body's forms are known, or if they cannot be found. */
const unknownForms: BodyForms = { forms: [], isText: true, fields: undefined, parts: undefined };

/** The text exactly as received, or a hex dump of all bytes. */
function copyOf(bodyBase64: string, charset: string): string {
  const bytes = bytesOf(bodyBase64);
  return textOf(bytes, charset) ?? hexDump(bytes);
}

type FormProps = Omit<BodyForms, 'forms'> & { form: BodyForm; source: Source };

function FormView({ form, source, isText, fields, parts }: Readonly<FormProps>) {
  if (form === 'form' && fields) return <Fields {...fields} />;
  if (form === 'parts' && parts) return <Parts {...parts} />;
  // For bytes that are not text, `auto` is the hex dump already, and `hex` would lay it out again.
  const isAuto = !isText || (form !== 'text' && form !== 'hex');
  return <CodeView source={source} label="Body" as={isAuto ? 'auto' : form} />;
}

function Fields({ fields, count }: NonNullable<BodyForms['fields']>) {
  return (
    <>
      <HeaderTable headers={fields} label="Fields" />
      {count > fields.length && (
        <p className="rb-note">
          {`Showing the first ${fields.length.toLocaleString('en')} of ${count.toLocaleString('en')} fields. Save the body to see all of them.`}
        </p>
      )}
    </>
  );
}

function Parts({ parts, count }: NonNullable<BodyForms['parts']>) {
  return (
    <>
      <ol className={`rb-stack rb-bullets ${classes.parts}`} aria-label="Parts of the body">
        {parts.map((part, index) => (
          // Parts may share a name; their place is their identity.
          <li key={index}>
            <h3>
              <ForeignText text={part.name ?? 'No name'} />
              {part.fileName !== undefined && (
                <>
                  {' · '}
                  <ForeignText text={part.fileName} />
                </>
              )}
              {` · ${formatSize(part.sizeBytes)}`}
            </h3>
            {part.headers.length > 0 && <HeaderTable headers={part.headers} />}
            <CodeView source={part.text} as="text" label={`Part ${index + 1}`} maxHeight={200} />
            {part.isCut && (
              <p className="rb-note">Only the start of this part is shown. Save the body to see all of it.</p>
            )}
          </li>
        ))}
      </ol>
      {count > parts.length && (
        <p className="rb-note">
          {`Showing the first ${parts.length.toLocaleString('en')} of ${count.toLocaleString('en')} parts. Save the body to see all of them.`}
        </p>
      )}
    </>
  );
}
