// The verdict on a callback in four sentences, from core's checks: what failed comes first.
import type { CallbackCheck, CheckVerdict } from '@rainbell/contract/app-rpc';

export type VerdictSentence = {
  topic: 'Signature' | 'API spec' | 'Cool-down' | 'Known monitor' | 'Storage' | 'Request' | 'Sender' | 'Handshake';
  verdict: CheckVerdict;
  message: string;
};

const topics: readonly { topic: VerdictSentence['topic']; checks: readonly CallbackCheck['check'][]; none: string }[] =
  [
    { topic: 'Signature', checks: ['signature'], none: 'Not checked.' },
    { topic: 'API spec', checks: ['request', 'monitor'], none: 'Not checked.' },
    { topic: 'Cool-down', checks: ['hour'], none: 'Not checked, because the body is not a JSON object.' },
    {
      topic: 'Known monitor',
      checks: ['registered', 'address'],
      none: 'Not checked, because the body is not a JSON object.',
    },
  ];

const requestTopics: typeof topics = [
  { topic: 'Handshake', checks: ['handshake'], none: '' },
  { topic: 'Sender', checks: ['sender'], none: '' },
  { topic: 'Signature', checks: ['signature'], none: '' },
];

const severity: Readonly<Record<CheckVerdict, number>> = { error: 0, warning: 1, ok: 2, unknown: 3 };

/** A refused request has only the reason. */
export function verdictSentences(checks: readonly CallbackCheck[], isRefused: boolean): readonly VerdictSentence[] {
  if (isRefused) return checks.map(({ verdict, message }) => ({ topic: 'Request', verdict, message }));
  const isOther = checks.some(({ check }) => check === 'sender');
  const sentences = (isOther ? requestTopics : topics).map(({ topic, checks: wanted, none }): VerdictSentence => {
    const found = checks
      .filter(({ check }) => wanted.includes(check))
      .toSorted((one, other) => severity[one.verdict] - severity[other.verdict]);
    const worst = found[0];
    if (!worst) return { topic, verdict: 'unknown', message: none };
    const same = found.filter(({ verdict }) => verdict === worst.verdict);
    return { topic, verdict: worst.verdict, message: same.map(({ message }) => message).join(' ') };
  });
  const store = checks
    .filter(({ check }) => check === 'storage')
    .map(({ verdict, message }): VerdictSentence => ({ topic: 'Storage', verdict, message }));
  // A stable sort: what holds keeps its order.
  const rank = ({ verdict }: VerdictSentence) => Math.min(severity[verdict], severity.ok);
  return [...store, ...sentences.filter(({ message }) => message !== '')].toSorted(
    (one, other) => rank(one) - rank(other),
  );
}

/** A sentence in parts: `callback 1715` is a link to that callback. */
export function linkedParts(message: string): readonly { text: string; callbackId?: number }[] {
  const parts: { text: string; callbackId?: number }[] = [];
  let end = 0;
  for (const match of message.matchAll(/\bcallback (\d{1,15})\b/g)) {
    if (match.index > end) parts.push({ text: message.slice(end, match.index) });
    parts.push({ text: match[0], callbackId: Number(match[1]) });
    end = match.index + match[0].length;
  }
  if (end < message.length) parts.push({ text: message.slice(end) });
  return parts;
}
