// Judges stored callbacks for the list and the details. What was judged is remembered for a while, since a list asks for
// the same rows again; new monitors or secrets make it forget.
import type { CallbackCheck, CallbackSummary, Verdict } from '#contract/procedures/callbacks.ts';
import { parseTimestamp } from '#contract/timestamp.ts';
import { checkCallback, kindOf, worstVerdict } from '../receiver/callback-checks.ts';
import type { CallbackPages, StoredCallback, StoredSummary } from '../receiver/callback-pages.ts';
import type { SigningFacts } from '../receiver/signature-check.ts';

/** `hour`: by the hour rule alone (§8). */
export type Judgement = Pick<CallbackSummary, 'verdict' | 'kind'> & { hour: Verdict };

export type CallbackJudge = {
  checksOf: (callback: StoredCallback) => CallbackCheck[];
  judge: (callback: StoredCallback) => Judgement;
  /** With the judgement in it; what that needs of the callback is read. */
  summaryOf: (row: StoredSummary) => CallbackSummary;
  summaryOfWhole: (callback: StoredCallback) => CallbackSummary;
  forget: () => void;
};

const rememberedRows = 20_000;

type Parts = {
  pages: Pick<CallbackPages, 'head' | 'earlierOf'>;
  monitorIds: () => ReadonlySet<string> | undefined;
  signing: () => SigningFacts;
};

export function createCallbackJudge({ pages, monitorIds, signing }: Parts): CallbackJudge {
  const remembered = new Map<number, Judgement>();
  let knownIds = monitorIds();

  function factsOf(callback: StoredSummary) {
    return { monitorIds: monitorIds(), earlier: pages.earlierOf(callback), signing: signing() };
  }

  function checkedOf(callback: StoredCallback) {
    return { ...callback, receivedAt: parseTimestamp(callback.receivedAt) ?? 0 };
  }

  function judgeAnew(callback: StoredCallback): Judgement {
    const facts = factsOf(callback);
    const checks = checkCallback(checkedOf(callback), facts);
    const hour = checks.find(({ check }) => check === 'hour')?.verdict ?? 'unknown';
    return { verdict: worstVerdict(checks), kind: kindOf(callback, facts.earlier), hour };
  }

  function recall(id: number, judgeNow: () => Judgement): Judgement {
    // A fetched list is a new set, mostly with the same in it.
    const ids = monitorIds();
    if (ids !== knownIds) {
      if (!hasSame(ids, knownIds)) remembered.clear();
      knownIds = ids;
    }
    const known = remembered.get(id);
    if (known) return known;
    if (remembered.size >= rememberedRows) remembered.clear();
    const judgement = judgeNow();
    remembered.set(id, judgement);
    return judgement;
  }

  const judge = (callback: StoredCallback) => recall(callback.id, () => judgeAnew(callback));
  return {
    checksOf: (callback) => checkCallback(checkedOf(callback), factsOf(callback)),
    judge,
    summaryOf(row) {
      const { verdict, kind } = recall(row.id, () => {
        const whole = pages.head(row.id);
        return whole ? judgeAnew(whole) : { verdict: 'unknown', kind: 'other', hour: 'unknown' };
      });
      return { ...row, verdict, kind };
    },
    summaryOfWhole(callback) {
      const {
        body: _body,
        headers: _headers,
        httpVersion: _version,
        truncated: _truncated,
        note: _note,
        ...row
      } = callback;
      const { verdict, kind } = judge(callback);
      return { ...row, verdict, kind };
    },
    forget: () => remembered.clear(),
  };
}

function hasSame(one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined): boolean {
  if (!one || !other) return one === other;
  return one.size === other.size && [...one].every((id) => other.has(id));
}
