// Form fields, each with its label, hint, and error linked for screen readers.
import { html, type SafeHtml } from '@remix-run/html-template';

type Common = {
  name: string;
  label: string;
  hint?: string | undefined;
  value?: string | undefined;
  /** Errors by field name. */
  problems?: Readonly<Record<string, string>> | undefined;
  isOptional?: boolean;
};

type TextField = Common & {
  type?: 'text' | 'email' | 'password' | 'url' | 'datetime-local';
  autocomplete?: string;
  isFocused?: boolean;
  placeholder?: string;
};

// No `required` and no browser validation: the service's warning for a missing field is clearer than a browser's, and the same in
// all of them.
export function textField({
  type = 'text',
  autocomplete = 'off',
  isFocused,
  placeholder,
  ...common
}: TextField): SafeHtml {
  const isName = autocomplete === 'username' || type === 'email' || type === 'url';
  return labelled(
    common,
    html`<input
      id="${common.name}"
      name="${common.name}"
      type="${type}"
      value="${common.value ?? ''}"
      autocomplete="${autocomplete}"
      ${placeholder === undefined ? '' : html`placeholder="${placeholder}"`}
      ${isName ? html`autocapitalize="none" spellcheck="false"` : ''}
      ${isFocused === true ? html`autofocus` : ''}
      ${described(common)}
    />`,
  );
}

export function textArea({
  rows = 4,
  isCode = false,
  ...common
}: Common & { rows?: number; isCode?: boolean }): SafeHtml {
  // The line break after the tag preserves a leading one in the value.
  return labelled(
    common,
    html`<textarea
      id="${common.name}"
      name="${common.name}"
      rows="${rows}"
      ${isCode ? html`class="code" spellcheck="false" autocapitalize="none"` : ''}
      ${described(common)}
    >
${common.value ?? ''}</textarea>`,
  );
}

type Option = { value: string; text: string; hint?: string };

export function radioGroup(common: Common & { options: readonly Option[] }): SafeHtml {
  const { name, label, hint, options, value, problems } = common;
  return html`<fieldset class="field" ${problems?.[name] === undefined ? '' : html`aria-describedby="${name}-problem"`}>
    <legend>${label}</legend>
    ${hint === undefined ? '' : html`<p class="hint">${hint}</p>`}
    ${options.map(
      (option) =>
        html`<label class="choice">
          <input type="radio" name="${name}" value="${option.value}" ${value === option.value ? html`checked` : ''} />
          <span
            ><strong>${option.text}</strong
            >${option.hint === undefined ? '' : html`<small>${option.hint}</small>`}</span
          >
        </label>`,
    )}
    ${problemOf(common)}
  </fieldset>`;
}

export function selectField(common: Common & { options: readonly Option[] }): SafeHtml {
  const { name, options, value } = common;
  return labelled(
    common,
    html`<select id="${name}" name="${name}">
      ${options.map((option) => html`<option value="${option.value}" ${option.value === value ? html`selected` : ''}>${option.text}</option>`)}
    </select>`,
  );
}

export function checkBox(common: Common & { text: SafeHtml | string; isChecked: boolean }): SafeHtml {
  return html`<div class="field">
    <label class="choice">
      <input
        type="checkbox"
        name="${common.name}"
        value="yes"
        ${common.isChecked ? html`checked` : ''}
        ${described(common)}
      />
      <span>${common.text}</span>
    </label>
    ${problemOf(common)}
  </div>`;
}

export function hidden(name: string, value: string): SafeHtml {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

function labelled(common: Common, control: SafeHtml): SafeHtml {
  const { name, label, hint, isOptional } = common;
  return html`<div class="field ${common.problems?.[name] === undefined ? '' : 'broken'}">
    <label for="${name}">${label}${isOptional === true ? html` <span class="optional">optional</span>` : ''}</label>
    ${control} ${problemOf(common)} ${hint === undefined ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`;
}

function problemOf({ name, problems }: Common): SafeHtml {
  const problem = problems?.[name];
  return problem === undefined ? html`` : html`<p class="problem" id="${name}-problem">${problem}</p>`;
}

function described({ name, hint, problems }: Common): SafeHtml {
  const ids = [problems?.[name] === undefined ? '' : `${name}-problem`, hint === undefined ? '' : `${name}-hint`]
    .filter((id) => id !== '')
    .join(' ');
  const description = ids === '' ? html`` : html`aria-describedby="${ids}"`;
  return problems?.[name] === undefined ? description : html`${description} aria-invalid="true"`;
}
