// Binds the fields of a form that is kept as one object: each shows a member, and its problem, and changes it.

type Members<Form, Value> = { [Name in keyof Form]-?: Form[Name] extends Value ? Name : never }[keyof Form];

/** `onChange` takes the whole form. */
export function boundFields<Form extends object>(
  form: Form,
  onChange: (form: Form) => void,
  problems: { readonly [Name in keyof Form]?: string | undefined } = {},
) {
  return {
    /** Of a text or one of several values. */
    text: <Name extends Members<Form, string>>(name: Name) => ({
      value: form[name],
      error: problems[name],
      onChange: (event: { currentTarget: { value: string } }) =>
        onChange({ ...form, [name]: event.currentTarget.value }),
    }),
    /** Of a switch or checkbox. */
    checked: <Name extends Members<Form, boolean>>(name: Name) => ({
      checked: form[name],
      onChange: (event: { currentTarget: { checked: boolean } }) =>
        onChange({ ...form, [name]: event.currentTarget.checked }),
    }),
  };
}
