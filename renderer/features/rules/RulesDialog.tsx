// What the receiver answers, for testing retries: rules per method and path with sequences, delays and broken connections,
// and a pause.
import { ActionIcon, Button, NativeSelect, Radio, Switch, Textarea, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReceiverRules } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { LearnMore } from '../../widgets/LearnMore.tsx';
import { EditedRowsForm } from '../../widgets/EditedRowsForm.tsx';
import { FormDialog } from '../../ui/dialogs/FormDialog.tsx';
import { boundFields } from '../../ui/hooks/bound-fields.ts';
import { focusOnce } from '../../ui/hooks/focus-once.ts';
import { useEditedRows } from '../../ui/hooks/use-edited-rows.ts';
import { useUnsaved } from '../../ui/hooks/use-unsaved.ts';
import {
  corsForms,
  emptyRule,
  formOfRule,
  problemsOf,
  type RuleForm,
  rulesOf,
  stepNames,
  stepResponse,
  withStepResponse,
} from './rule-form.ts';
import classes from './RulesDialog.module.css';

const pauses: readonly { value: ReceiverRules['pause']; label: string }[] = [
  { value: 'off', label: 'Receiving' },
  { value: 'refuse', label: 'Paused, responds with 503' },
  { value: 'drop', label: 'Paused, responds with 200 and stores nothing' },
];

export function RulesDialog() {
  const values = useApp((state) => state.rules.values);
  const open = useApp((state) => state.rules.open);
  return (
    <FormDialog title="Response rules" size="xl" onClose={() => open(false)}>
      {values && <RulesForm values={values} />}
    </FormDialog>
  );
}

function RulesForm({ values }: { readonly values: ReceiverRules }) {
  const { replace, saving, open } = useApp((state) => state.rules);
  const [pause, setPause] = useState(values.pause);
  useUnsaved(pause);
  const saved = values.rules.map((rule, index) => formOfRule(rule, index + 1));
  const { rows: forms, fields, addButton, addedId, areProblemsShown, ...edit } = useEditedRows<RuleForm>(saved);
  const save = async () => {
    edit.showProblems();
    const wanted = rulesOf(forms, pause);
    if (wanted && (await replace(wanted))) open(false);
  };
  const nextId = Math.max(0, ...forms.map(({ id }) => id)) + 1;
  return (
    <EditedRowsForm
      fields={fields}
      addButton={addButton}
      addLabel="Add a rule"
      moreButtons={
        <Button variant="default" onClick={() => edit.add(...corsForms(nextId))}>
          Add CORS rules
        </Button>
      }
      saving={saving}
      failedTitle="Couldn’t save the rules"
      onAdd={() => edit.add(emptyRule(nextId))}
      onSave={() => void save()}
      onCancel={() => open(false)}
    >
      <Radio.Group
        label="Callback receiver"
        value={pause}
        onChange={(value) => setPause(value as ReceiverRules['pause'])}
      >
        <div className="rb-row rb-wrap">
          {pauses.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} data-autofocus={value === pause || undefined} />
          ))}
        </div>
      </Radio.Group>
      <p className="rb-dim">
        Without a rule, the receiver responds with 200 and an empty body. The first matching rule applies. Each response
        is a status, such as 200, or “close” or “reset” to break the connection; add “after 2 s” to delay it. “hold for
        60 s” waits up to 60 s for you to type a response. Use commas to separate the responses to successive requests.{' '}
        <LearnMore
          to="receiver?at=choose-how-the-receiver-responds"
          about="response rules"
          onFollow={() => open(false)}
        />
      </p>
      {forms.map((form) => (
        <RuleCard
          key={form.id}
          form={form}
          areProblemsShown={areProblemsShown}
          onChange={edit.change}
          isAdded={form.id === addedId}
          onRemove={() => edit.remove(form.id)}
        />
      ))}
    </EditedRowsForm>
  );
}

function ownLabel(step: string): string {
  return `${step} (custom body and headers)`;
}

type CardProps = {
  form: RuleForm;
  areProblemsShown: boolean;
  /** Just now, by hand: its first field has the focus. */
  isAdded: boolean;
  onChange: (form: RuleForm) => void;
  onRemove: () => void;
};

function RuleCard({ form, areProblemsShown, isAdded, onChange, onRemove }: Readonly<CardProps>) {
  const problems = areProblemsShown ? problemsOf(form) : {};
  const { text, checked } = boundFields(form, onChange, problems);
  return (
    <fieldset className={`rb-box ${classes.rule}`}>
      <legend>{form.name.trim() === '' ? 'Rule' : form.name}</legend>
      <TextInput label="Name" ref={isAdded ? focusOnce : null} {...text('name')} />
      <NativeSelect
        label="Method"
        data={[{ value: '', label: 'Any' }, 'POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']}
        {...text('method')}
      />
      <TextInput label="Path" {...text('path')} />
      <div className={`rb-buttons ${classes.end}`}>
        <Switch label="On" {...checked('isOn')} />
        <ActionIcon
          variant="subtle"
          color="red"
          aria-label={form.name.trim() === '' ? 'Remove the rule' : `Remove ${form.name}`}
          onClick={onRemove}
        >
          <IconTrash size={17} />
        </ActionIcon>
      </div>
      <TextInput className={classes.steps ?? ''} label="Responses" placeholder="500, 500, 200" {...text('steps')} />
      <NativeSelect
        className={classes.steps ?? ''}
        label="After the last response"
        data={[
          { value: 'stay', label: 'Repeat the last response' },
          { value: 'again', label: 'Start over' },
        ]}
        {...text('afterLast')}
      />
      <TextInput
        className={classes.wide ?? ''}
        label="Condition"
        description="Same syntax as the callback search. Leave empty to match every request."
        placeholder="monitor:precipitation_7 header:x-case=good json:geo.type=Point"
        {...text('condition')}
      />
      <TextInput
        label="Rate limit"
        description="Requests over the limit get 429."
        placeholder="10 per 60 s"
        {...text('limit')}
      />
      <TextInput
        className={classes.rest ?? ''}
        label="Random failure"
        description="Sent instead of the next response."
        placeholder="20% 503"
        {...text('failure')}
      />
      <ResponseFields form={form} problems={problems} onChange={onChange} />
      <Switch
        className={classes.wide ?? ''}
        label="Replace {{placeholders}} with parts of the request"
        description="{{json.id}}, {{header.webhook-id}}, {{query.x}}, {{method}}, {{path}}, {{target}}, {{body}}, {{monitor}}, {{time}}; {{quote json.id}} makes a JSON string."
        {...checked('hasPlaceholders')}
      />
    </fieldset>
  );
}

type ResponseProps = Pick<CardProps, 'form' | 'onChange'> & { problems: ReturnType<typeof problemsOf> };

/** Body and headers of one response, or of all. */
function ResponseFields({ form, problems, onChange }: Readonly<ResponseProps>) {
  const [step, setStep] = useState<number | null>(null);
  const names = stepNames(form.steps);
  const shownStep = step !== null && step < names.length ? step : null;
  const response = stepResponse(form, shownStep);
  return (
    <>
      <NativeSelect
        className={classes.wide ?? ''}
        label="Response to edit"
        description="Each response can have its own body and headers."
        data={[
          { value: 'all', label: 'All responses' },
          ...names.map((label, index) => ({ value: String(index), label: form.own[index] ? ownLabel(label) : label })),
        ]}
        value={shownStep === null ? 'all' : String(shownStep)}
        onChange={({ currentTarget: { value } }) => setStep(value === 'all' ? null : Number(value))}
      />
      <Textarea
        className={classes.wide ?? ''}
        label={shownStep === null ? 'Response body' : `Body of response ${names[shownStep] ?? ''}`}
        rows={2}
        value={response.body}
        error={problems.body}
        onChange={(event) => onChange(withStepResponse(form, shownStep, { body: event.currentTarget.value }))}
      />
      <Textarea
        className={classes.wide ?? ''}
        label={shownStep === null ? 'Response headers' : `Headers of response ${names[shownStep] ?? ''}`}
        placeholder="Retry-After: 30"
        autosize
        minRows={1}
        maxRows={6}
        value={response.headers}
        error={problems.headers}
        onChange={(event) => onChange(withStepResponse(form, shownStep, { headers: event.currentTarget.value }))}
      />
    </>
  );
}
