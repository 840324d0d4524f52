// What the receiver answers, for testing retries: rules per method and path with sequences, delays and broken connections,
// and a pause.
import { NativeSelect, Radio, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReceiverRules } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { LearnMore } from '../../widgets/LearnMore.tsx';
import { type EditedCard, EditedRowsDialog, RemoveButton } from '../../widgets/EditedRowsDialog.tsx';
import { focusOnce } from '../../ui/hooks/focus-once.ts';
import { useUnsaved } from '../../ui/hooks/use-unsaved.ts';
import {
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

export function RulesDialog() {
  const { values, replace, saving, open } = useApp((state) => state.rules);
  const [pause, setPause] = useState(values?.pause ?? 'off');
  return (
    <EditedRowsDialog<RuleForm>
      title="Response rules"
      first={values && values.rules.map((rule, index) => formOfRule(rule, index + 1))}
      newRow={(forms) => emptyRule(Math.max(0, ...forms.map(({ id }) => id)) + 1)}
      addLabel="Add a rule"
      problemsOf={problemsOf}
      above={<Introduction pause={pause} onPause={setPause} onFollow={() => open(false)} />}
      saving={saving}
      failedTitle="Couldn’t save the rules"
      onSave={async (forms) => {
        const wanted = rulesOf(forms, pause);
        return wanted !== undefined && replace(wanted);
      }}
      onClose={() => open(false)}
    >
      {(card) => <RuleCard {...card} />}
    </EditedRowsDialog>
  );
}

type IntroductionProps = {
  pause: ReceiverRules['pause'];
  onPause: (pause: ReceiverRules['pause']) => void;
  onFollow: () => void;
};

function Introduction({ pause, onPause, onFollow }: Readonly<IntroductionProps>) {
  useUnsaved(pause);
  return (
    <>
      <Radio.Group
        label="Callback receiver"
        value={pause}
        onChange={(value) => onPause(value as ReceiverRules['pause'])}
      >
        <div className="rb-row rb-wrap">
          <Radio value="off" label="Receiving" data-autofocus={pause === 'off' || undefined} />
          <Radio value="refuse" label="Paused, responds with 503" data-autofocus={pause === 'refuse' || undefined} />
        </div>
      </Radio.Group>
      <p className="rb-dim">
        Without a rule, the receiver responds with 200 and an empty body. The first matching rule applies. Each response
        is a status, such as 200, or “close” or “reset” to break the connection; add “after 2 s” to delay it. “hold for
        60 s” waits up to 60 s for you to type a response. Use commas to separate the responses to successive requests.{' '}
        <LearnMore to="receiver?at=choose-how-the-receiver-responds" about="response rules" onFollow={onFollow} />
      </p>
    </>
  );
}

function RuleCard(props: Readonly<EditedCard<RuleForm>>) {
  const { row: form, isAdded, onRemove, text, checked } = props;
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
        <RemoveButton label={form.name.trim() === '' ? 'Remove the rule' : `Remove ${form.name}`} onRemove={onRemove} />
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
      <ResponseFields {...props} />
      <Switch
        className={classes.wide ?? ''}
        label="Replace {{placeholders}} with parts of the request"
        description="{{json.id}}, {{header.webhook-id}}, {{query.x}}, {{method}}, {{path}}, {{target}}, {{body}}, {{monitor}}, {{time}}; {{quote json.id}} makes a JSON string."
        {...checked('hasPlaceholders')}
      />
    </fieldset>
  );
}

/** Body and headers of one response, or of all. */
function ResponseFields({ row: form, problems, onChange }: Readonly<EditedCard<RuleForm>>) {
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
          ...names.map((label, index) => ({
            value: String(index),
            label: form.own[index] ? `${label} (custom body and headers)` : label,
          })),
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
