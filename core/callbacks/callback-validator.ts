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
import { refusalCheck } from '../receiver/refusal-check.ts';
import type { SigningFacts } from '../receiver/signature-check.ts';

/** `hour`: by the hour rule alone (docs/interface.md §8). */
export type ValidationResult = Pick<CallbackSummary, 'verdict' | 'kind'> & { hour: Verdict };

export type CallbackValidator = {
  checksOf: (callback: StoredCallback) => CallbackCheck[];
  validate: (callback: StoredCallback) => ValidationResult;
  /** With the judgement in it; what that needs of the callback is read. */
  summaryOf: (row: StoredSummary) => CallbackSummary;
  summaryOfWhole: (callback: StoredCallback) => CallbackSummary;
  forget: () => void;
};

const rememberedRows = 20_000;
const refusedResult: ValidationResult = { verdict: 'error', kind: 'refused', hour: 'unknown' };

type CallbackValidatorDependencies = {
  pages: Pick<CallbackPages, 'head' | 'earlierOf' | 'hasLostBetween'>;
  /** Whether the store was found damaged since the start. */
  isDamaged?: () => boolean;
  monitorIds: () => ReadonlySet<string> | undefined;
  signing: () => SigningFacts;
};

export function createCallbackValidator(dependencies: CallbackValidatorDependencies): CallbackValidator {
  const { pages, monitorIds, signing, isDamaged = () => false } = dependencies;
  const remembered = new Map<number, ValidationResult>();
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

  function revalidate(callback: StoredCallback): ValidationResult {
    if (callback.refusal) return refusedResult;
    const facts = factsOf(callback);
    const checks = checkCallback(checkedOf(callback), facts);
    const hour = checks.find(({ check }) => check === 'hour')?.verdict ?? 'unknown';
    return { verdict: worstVerdict(checks), kind: kindOf(callback, facts.earlier), hour };
  }

  function recall(id: number, validateNow: () => ValidationResult): ValidationResult {
    // A fetched list is a new set, mostly with the same in it.
    const ids = monitorIds();
    if (ids !== knownIds) {
      if (!hasSame(ids, knownIds)) remembered.clear();
      knownIds = ids;
    }
    const known = remembered.get(id);
    if (known) return known;
    if (remembered.size >= rememberedRows) remembered.clear();
    const result = validateNow();
    remembered.set(id, result);
    return result;
  }

  const validate = (callback: StoredCallback) => recall(callback.id, () => revalidate(callback));
  return {
    checksOf: (callback) =>
      callback.refusal
        ? [refusalCheck(callback.refusal, callback.answeredStatus)]
        : checkCallback(checkedOf(callback), factsOf(callback)),
    validate,
    summaryOf(row) {
      const { verdict, kind } = recall(row.id, () => {
        if (row.refusal) return refusedResult;
        const whole = pages.head(row.id);
        return whole ? revalidate(whole) : { verdict: 'unknown', kind: 'other', hour: 'unknown' };
      });
      return { ...row, verdict, kind };
    },
    summaryOfWhole(callback) {
      const {
        body: _body,
        headers: _headers,
        trailers: _trailers,
        answer: _answer,
        httpVersion: _version,
        truncated: _truncated,
        note: _note,
        isBodyLost: _isBodyLost,
        ...row
      } = callback;
      const { verdict, kind } = validate(callback);
      return { ...row, verdict, kind };
    },
    forget: () => remembered.clear(),
  };
}

function hasSame(one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined): boolean {
  if (!one || !other) return one === other;
  return one.size === other.size && [...one].every((id) => other.has(id));
}
