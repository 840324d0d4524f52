// An application's side of the dialog over plain HTTP: it keeps cookies, reads the forms of the pages and follows no
// redirect automatically.

export type DialogPage = { status: number; text: string; headers: Headers; location: string | null };

export type Agent = {
  get(path: string): Promise<DialogPage>;
  /** Sends the form of the page that has a field or button of that name, with these values. */
  submit(
    page: DialogPage,
    action: string,
    values: Readonly<Record<string, string>>,
    headers?: Record<string, string>,
  ): Promise<DialogPage>;
};

export function createAgent(baseUrl: string): Agent {
  const cookies = new Map<string, string>();

  async function send(path: string, init: RequestInit = {}): Promise<DialogPage> {
    const headers = new Headers(init.headers);
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(new URL(path, baseUrl), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    return { status: response.status, text: await response.text(), headers: response.headers, location };
  }

  return {
    get: (path) => send(path),
    submit: (page, action, values, headers = {}) =>
      send(action, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ ...hiddenFields(page.text, action), ...values }).toString(),
      }),
  };
}

/** The hidden fields of the form with that action. */
export function hiddenFields(text: string, action: string): Record<string, string> {
  const form = text.split('<form').find((part) => part.includes(`action="${action}"`)) ?? '';
  const fields = form.split('</form>')[0]?.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g) ?? [];
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
}

export const signInAction = '/oauth/authorize/sign-in/';
export const decisionAction = '/oauth/authorize/decision/';

/** Opens the dialog, signs in and answers. */
export async function authorize(
  agent: Agent,
  parameters: Readonly<Record<string, string>>,
  account: { username: string; password: string },
  decision: 'approve' | 'deny' = 'approve',
): Promise<DialogPage> {
  const opened = await agent.get(`/oauth/authorize/?${new URLSearchParams(parameters)}`);
  const signedIn = await agent.submit(opened, signInAction, {
    username: account.username,
    password: account.password,
  });
  if (signedIn.location === null) throw new Error(`The sign-in answered ${signedIn.status}:\n${signedIn.text}`);
  const consent = await agent.get(signedIn.location);
  return agent.submit(consent, decisionAction, { decision });
}
