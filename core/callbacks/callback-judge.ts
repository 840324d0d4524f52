// Judges stored callbacks for the list and the details. What was judged is remembered for a while, since a list asks for
// the same rows again; new monitors or secrets make it forget.
import type { CallbackCheck, CallbackSummary, Verdict } from '#contract/app-rpc/callbacks.ts';
import { parseTimestamp } from '#contract/service-api/timestamp.ts';
import { checkCallback, kindOf, type StoreDoubt, worstVerdict } from '../receiver/callback-checks.ts';
import {
  earlierLimit,
  type CallbackPages,
  type StoredCallback,
  type StoredSummary,
} from '../receiver/callback-pages.ts';
import type { EarlierCallback } from '../receiver/checked-callback.ts';
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
  pages: Pick<CallbackPages, 'head' | 'earlierOf' | 'hasLostBetween'>;
  /** Whether the store was found damaged since the start. */
  isDamaged?: () => boolean;
  monitorIds: () => ReadonlySet<string> | undefined;
  signing: () => SigningFacts;
};

export function createCallbackJudge(parts: Parts): CallbackJudge {
  const { pages, monitorIds, signing, isDamaged = () => false } = parts;
  const remembered = new Map<number, Judgement>();
  let knownIds = monitorIds();

  function factsOf(callback: StoredSummary) {
    const earlier = pages.earlierOf(callback);
    return { monitorIds: monitorIds(), earlier, signing: signing(), doubt: doubtAbout(callback, earlier) };
  }

  function doubtAbout({ id, monitorId }: StoredSummary, earlier: readonly EarlierCallback[]): StoreDoubt | undefined {
    if (isDamaged()) return 'damaged';
    // Only a monitor's callbacks are compared with those before them.
    const oldest = earlier.length < earlierLimit ? 0 : (earlier.at(-1)?.id ?? 0);
    return monitorId !== null && pages.hasLostBetween(oldest, id) ? 'lost' : undefined;
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
        isBodyLost: _isBodyLost,
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
