// A real SMTP server on loopback that keeps what it gets, for tests.
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished } from 'vitest';

export type Received = { from: string; to: string[]; text: string; user: string };

/** `isWilling`: whether it accepts an email now. */
export async function startMailServer(isWilling: () => boolean = () => true) {
  const received: Received[] = [];
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: ({ username = '', password }, _session, done) =>
      password === 'mail secret' ? done(null, { user: username }) : done(new Error('wrong')),
    onMailFrom: (_address, _session, done) => done(isWilling() ? null : new Error('busy')),
    onData(stream, session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        received.push({ from, to: rcptTo.map((address) => address.address), text, user: String(session.user) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `smtp://robot:mail%20secret@127.0.0.1:${port}`, received };
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** The text of the `count`-th email to an address, as a user reads it; waits until it has come. */
export async function mailTo({ received }: MailServer, address: string, count = 1): Promise<string> {
  const mails = () => received.filter((mail) => mail.to.includes(address));
  await expect.poll(() => mails().length, { message: `emails to ${address}` }).toBeGreaterThanOrEqual(count);
  return plainText(mails()[count - 1]?.text ?? '');
}

/** Path and query of the link in an email; its origin has to be `baseUrl`. */
export function linkIn(text: string, baseUrl: string): string {
  const [link = ''] = /https?:\/\/\S+/.exec(text) ?? [];
  expect(link.startsWith(`${baseUrl}/`), `${link} begins with ${baseUrl}`).toBe(true);
  return link.slice(baseUrl.length);
}

/** Undoes the quoted-printable encoding of RFC 2045 §6.7. */
function plainText(raw: string): string {
  const unfolded = raw.replaceAll(/=\r?\n/g, '').replaceAll('\r\n', '\n');
  return unfolded.replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
