// Answers the requests with which a sender checks a receiver before it sends events. What is reflected is text that anyone can choose, so
// it is plain text, short, and not sniffed.
import { createHmac } from 'node:crypto';
import type { Handshake, SenderProfile } from './sender-profile.ts';
import { readSenderRequest, type RequestReader, type SenderRequest } from './sender-request.ts';
import { verifySender } from './verify-sender.ts';

/** What the endpoint of a request knows. */
export type SenderSettings = {
  /** Chosen by the user; undefined: recognized by the request. */
  sender: SenderProfile | undefined;
  secrets: readonly string[];
  verifyToken: string | null;
};

export type FoundHandshake = {
  sender: SenderProfile;
  handshake: Handshake;
  /** What the user must do, as a sentence; null for nothing. */
  manual: string | null;
};

export type HandshakeAnswer = { status: number; headers: [string, string][]; body: string };

const maxAnswerLength = 4096;
/** A JSON body could not be passed off as a token to have it signed. */
const tokenForm = /^[\w.~+/=-]{1,256}$/;

/** Undefined if the request is an ordinary one. */
export function findHandshake(
  profiles: readonly SenderProfile[],
  { sender }: Pick<SenderSettings, 'sender'>,
  reader: RequestReader,
): FoundHandshake | undefined {
  for (const profile of sender ? [sender] : profiles) {
    const handshake = profile.handshakes?.find(
      ({ when, isChosenOnly, unlessValid }) =>
        (sender !== undefined ||
          (isChosenOnly !== true && (unlessValid === undefined || reader.fits(profile.match)))) &&
        reader.fits(when),
    );
    if (!handshake) continue;
    const { manual } = handshake;
    return {
      sender: profile,
      handshake,
      manual: manual === undefined ? null : (textOf(reader, manual) ?? manual),
    };
  }
  return undefined;
}

/** Undefined if the request is not a handshake, or its answer needs what the endpoint does not have; then it is answered as any other. */
export function answerHandshake(
  profiles: readonly SenderProfile[],
  request: SenderRequest,
  settings: SenderSettings & { receivedAt: number },
): HandshakeAnswer | undefined {
  const { secrets, verifyToken, receivedAt } = settings;
  const reader = readSenderRequest(request);
  const found = findHandshake(profiles, settings, reader);
  if (!found) return undefined;
  const { sender, handshake } = found;
  const { unlessValid, token, status = 200, body = '', json, headers = {} } = handshake;
  if (unlessValid !== undefined) {
    if (secrets.length === 0 && settings.sender === undefined) return undefined;
    if (verifySender(sender, request, { secrets, receivedAt }).state !== 'verified') return plain(unlessValid, '');
  }
  if (token !== undefined) {
    if (verifyToken === null) return undefined;
    if (reader.read(token) !== verifyToken) return plain(403, '');
  }
  const [secret] = secrets;
  const hmac = (text: string, encoding: 'hex' | 'base64') => {
    if (!tokenForm.test(text)) return undefined;
    return secret === undefined ? undefined : createHmac('sha256', secret).update(text).digest(encoding);
  };
  const fill = (template: string | number) =>
    typeof template === 'number' ? template : textOf(reader, template, hmac);
  const members = json && Object.entries(json).map(([name, template]) => [name, fill(template)] as const);
  const text = members ? JSON.stringify(Object.fromEntries(members)) : fill(body);
  const more = Object.entries(headers).map(([name, template]): [string, string] => [
    name,
    String(fill(template) ?? ''),
  ]);
  const isComplete =
    typeof text === 'string' &&
    text.length <= maxAnswerLength &&
    members?.some(([, value]) => value === undefined) !== true &&
    more.every(([, value]) => /^[\u0020-\u007e]{1,1000}$/.test(value));
  if (!isComplete) return undefined;
  return plain(status, text, json ? 'application/json' : undefined, more);
}

/** The status that a sender requires for a wrong signature, checked with these secrets; undefined if it requires none. */
export function refusalFor(
  profile: SenderProfile | undefined,
  request: SenderRequest,
  { secrets, receivedAt }: { secrets: readonly string[]; receivedAt: number },
): HandshakeAnswer | undefined {
  if (profile?.onInvalid === undefined) return undefined;
  const { state } = verifySender(profile, request, { secrets, receivedAt });
  return state === 'invalid' || state === 'unsigned' ? plain(profile.onInvalid, '') : undefined;
}

function textOf(
  reader: RequestReader,
  template: string,
  hmac?: (text: string, encoding: 'hex' | 'base64') => string | undefined,
): string | undefined {
  const rendered = reader.render(template, hmac ? { hmac } : {});
  return 'bytes' in rendered ? rendered.bytes.toString('utf8') : undefined;
}

function plain(
  status: number,
  body: string,
  type = 'text/plain; charset=utf-8',
  more: readonly [string, string][] = [],
): HandshakeAnswer {
  return { status, headers: [['content-type', type], ['x-content-type-options', 'nosniff'], ...more], body };
}
