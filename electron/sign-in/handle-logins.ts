// Answers a host or proxy that requires a user name and password in a sign-in window (HTTP authentication). Without an answer
// Electron cancels each such request: https://github.com/electron/electron/blob/main/docs/api/app.md (`login`).
import { randomUUID } from 'node:crypto';
import { type AuthInfo, BrowserWindow, session } from 'electron';
import { keepTitle, signInWindowOptions } from '../windows/web-preferences.ts';

type Credentials = { username: string; password: string };

/** After this many prompts the page shows the host's response to missing credentials. */
const maximumPrompts = 5;
const maxFormLength = 10_000;
const scheme = 'app';
const origin = `${scheme}://credentials`;

export function handleLogins(window: BrowserWindow): void {
  let prompts = 0;
  window.webContents.on('login', (event, _details, authInfo, respond) => {
    event.preventDefault();
    prompts += 1;
    const prompted = prompts > maximumPrompts ? Promise.resolve(undefined) : promptForCredentials(window, authInfo);
    prompted.then(
      (given) => (given ? respond(given.username, given.password) : respond()),
      () => respond(),
    );
  });
}

/** Shows a form without scripts that posts to `app:`, so that no URL contains what the user types. On a Mac, only the form closes it. */
async function promptForCredentials(parent: BrowserWindow, authInfo: AuthInfo): Promise<Credentials | undefined> {
  if (parent.isDestroyed()) return undefined;
  const where = `<strong>${escape(`${authInfo.host}:${authInfo.port}`)}</strong>`;
  const sentence = authInfo.isProxy
    ? `The proxy ${where} requires a username and password. Cancel to continue without them.`
    : `${where} requires a username and password. Cancel to continue without them.`;
  // In memory, and used only for this form.
  const partition = session.fromPartition('credentials');
  const id = randomUUID();
  const window = new BrowserWindow({
    ...signInWindowOptions(`Sign in to ${authInfo.host}`, partition),
    parent,
    modal: true,
    width: 420,
    height: 330,
    resizable: false,
    minimizable: false,
  });
  keepTitle(window);
  window.webContents.on('will-navigate', (event) => {
    if (event.url !== `${origin}/${id}`) event.preventDefault();
  });
  const closeWithParent = () => window.destroy();
  parent.once('closed', closeWithParent);
  try {
    return await new Promise<Credentials | undefined>((resolve, reject) => {
      if (partition.protocol.isProtocolHandled(scheme)) partition.protocol.unhandle(scheme);
      partition.protocol.handle(scheme, async (request) => {
        if (request.url !== `${origin}/${id}`) return new Response('', { status: 404 });
        if (request.method === 'POST') resolve(readForm(await request.text()));
        return page(sentence);
      });
      window.once('closed', () => resolve(undefined));
      window.webContents.on('before-input-event', (_event, { type, key }) => {
        if (type === 'keyDown' && key === 'Escape') resolve(undefined);
      });
      window.loadURL(`${origin}/${id}`).catch(reject);
    });
  } finally {
    parent.off('closed', closeWithParent);
    if (!window.isDestroyed()) window.destroy();
  }
}

function readForm(body: string): Credentials | undefined {
  if (body.length > maxFormLength) return undefined;
  const fields = new URLSearchParams(body);
  if (fields.has('cancel')) return undefined;
  return { username: fields.get('username') ?? '', password: fields.get('password') ?? '' };
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** `sentence`: in HTML. */
function page(sentence: string): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign in</title><style>
:root { color-scheme: light dark; font: 15px system-ui, sans-serif; }
body { margin: 20px; } p { overflow-wrap: anywhere; } label { display: block; margin: 12px 0 4px; }
input, button { font: inherit; padding: 7px 10px; box-sizing: border-box; } input { width: 100%; } button { margin-top: 16px; }
</style><p>${sentence}</p>
<form method="post"><label for="username">Username</label><input id="username" name="username" autofocus autocomplete="off">
<label for="password">Password</label><input id="password" name="password" type="password"><button>Sign in</button> <button name="cancel" formnovalidate>Cancel</button></form></html>`;
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    },
  });
}
