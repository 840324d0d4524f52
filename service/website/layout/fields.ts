// Forms as data: their fields, each with its label, hint, and error linked for screen readers.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Form } from '../../oauth/form-body.ts';

export type Field = {
  name: string;
  label: SafeHtml | string;
  /** `code`: several lines of code; `box`: a check box, whose value is "yes" if it is checked. */
  type?: 'text' | 'email' | 'password' | 'url' | 'datetime-local' | 'area' | 'code' | 'box' | 'radio' | 'select';
  hint?: string | undefined;
  value?: string | undefined;
  options?: readonly { value: string; text: string; hint?: string }[];
  isOptional?: boolean;
  isFocused?: boolean;
  autocomplete?: string;
  /** Its name, unless another form of the page has that one too. */
  id?: string;
};

export type FormOptions = {
  action: string;
  /** A list in the list is shown in columns. */
  fields?: readonly (Field | readonly Field[])[];
  hidden?: Readonly<Record<string, string>>;
  button: SafeHtml | string;
  look?: string;
  /** The button's name for screen readers, if it is not its text. */
  label?: string;
};

/** What was sent to `path`, which one of the page's forms may be about. */
type Sent = { csrf: string; path?: string; form?: Form; problems?: Readonly<Record<string, string>> };

export const usernameField: Field = { name: 'username', label: 'Username', autocomplete: 'username' };
export const emailField: Field = { name: 'email', label: 'Email address', type: 'email', autocomplete: 'email' };
export const newPasswordField: Field = {
  name: 'new_password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 8 characters. Use several words for a strong password.',
};
export const passwordField: Field = {
  name: 'password',
  label: 'Your password',
  type: 'password',
  autocomplete: 'current-password',
};

/** Shows a form; one that was sent keeps all input except passwords, and shows its errors. */
export function showForm({ csrf, path, form, problems = {} }: Sent, options: FormOptions): SafeHtml {
  const { action, fields = [], hidden = {}, button, look = 'primary', label } = options;
  const typed = path === action && form && form.size > 0 ? form : undefined;
  const show = (field: Field) =>
    typed && field.type !== 'password'
      ? showField({ ...field, value: typed.get(field.name) }, problems[field.name])
      : showField(field, typed && problems[field.name]);
  return html`<form method="post" action="${action}">
    ${Object.entries({ csrf, ...hidden }).map(([name, value]) => hiddenField(name, value))}
    ${fields.map((one) => ('name' in one ? show(one) : html`<div class="columns">${one.map(show)}</div>`))}
    <button class="${look}" type="submit" ${label === undefined ? '' : html`aria-label="${label}"`}>${button}</button>
  </form>`;
}

export function hiddenField(name: string, value: string): SafeHtml {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

// No `required` and no browser validation: the service's warning for a missing field is clearer than a browser's, and the same in
// all of them.
export function showField(field: Field, problem?: string): SafeHtml {
  const { name, label, type, hint, value, options = [], isOptional, id = name } = field;
  const error = problem === undefined ? '' : html`<p class="problem" id="${id}-problem">${problem}</p>`;
  if (type === 'box')
    return html`<div class="field">
      <label class="choice">
        <input
          type="checkbox"
          name="${name}"
          value="yes"
          ${value === 'yes' ? html`checked` : ''}
          ${described(field, problem)}
        />
        <span>${label}</span>
      </label>
      ${error}
    </div>`;
  if (type === 'radio')
    return html`<fieldset class="field" ${problem === undefined ? '' : html`aria-describedby="${id}-problem"`}>
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
      ${error}
    </fieldset>`;
  return html`<div class="field ${problem === undefined ? '' : 'broken'}">
    <label for="${id}">${label}${isOptional === true ? html` <span class="optional">optional</span>` : ''}</label>
    ${control(field, described(field, problem))} ${error}
    ${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}
  </div>`;
}

function control({ type = 'text', value = '', options = [], ...field }: Field, description: SafeHtml): SafeHtml {
  const { name, id = name, autocomplete = 'off', isFocused } = field;
  if (type === 'select')
    return html`<select id="${id}" name="${name}">
      ${options.map((option) => html`<option value="${option.value}" ${option.value === value ? html`selected` : ''}>${option.text}</option>`)}
    </select>`;
  const isCode = type === 'code';
  const plain = html`autocapitalize="none" spellcheck="false"`;
  // The line break after the tag preserves a leading one in the value.
  if (isCode || type === 'area')
    return html`<textarea
      id="${id}"
      name="${name}"
      rows="5"
      ${isCode ? html`class="code" ${plain}` : ''}
      ${description}
    >
${value}</textarea>`;
  return html`<input
    id="${id}"
    name="${name}"
    type="${type}"
    value="${value}"
    autocomplete="${autocomplete}"
    ${autocomplete === 'username' || type === 'email' || type === 'url' ? plain : ''}
    ${isFocused === true ? html`autofocus` : ''}
    ${description}
  />`;
}

function described({ name, id = name, hint }: Field, problem: string | undefined): SafeHtml {
  const ids = [...(problem === undefined ? [] : [`${id}-problem`]), ...(hint === undefined ? [] : [`${id}-hint`])];
  const description = ids.length === 0 ? html`` : html`aria-describedby="${ids.join(' ')}"`;
  return problem === undefined ? description : html`${description} aria-invalid="true"`;
}
