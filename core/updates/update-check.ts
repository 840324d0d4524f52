// Tells the user that a newer version exists. It only compares version numbers and links to the release page: nothing is
// downloaded, because releases are not signed yet.
import { z } from 'zod';
import { type Clock, formatInstant, parseJsonObject, projectPage } from '@rainbell/shared';
import type { UpdateState } from '@rainbell/contract/app-rpc';
import { AppFailure, toProblem } from '../errors/app-failure.ts';
import { createHttpSender } from '../http/http-sender.ts';
import type { JsonReader } from '../http/json-reader.ts';
import type { Log } from '../ports/log.ts';

export type ReleaseSource = {
  /** Returns the newest release in the form of GitHub's REST API, "Get the latest release". */
  latestUrl: string;
  /** The page that lists the releases. A response can name a tag below it, never another page. */
  pageUrl: string;
};

export const rainbellReleases: ReleaseSource = {
  latestUrl: 'https://api.github.com/repos/rainbell/rainbell/releases/latest',
  pageUrl: `${projectPage}/releases`,
};

type Options = {
  currentVersion: string;
  source: ReleaseSource;
  json: JsonReader;
  /** Whether to check automatically: shortly after the start, then once a day. Read before each check. */
  isAutomatic: () => boolean;
  onChanged: () => void;
  clock: Clock;
  log: Log;
};

/** The start has more urgent work. */
const firstCheckMs = 30_000;
const intervalMs = 24 * 60 * 60 * 1000;
const limits = { connectMs: 5000, totalMs: 15_000 };
const limit = { what: 'a release', bytes: 256 * 1024, items: 1 };

/** See https://docs.github.com/en/rest/releases/releases#get-the-latest-release; other fields are ignored. */
const releaseSchema = z.object({ tag_name: z.string().max(100) });

/** Starts the automatic checks; `close()` ends them. */
export function createUpdateCheck(options: Options) {
  const { currentVersion, source, clock, log } = options;
  const sender = createHttpSender({ clock, limits, json: options.json });
  const { host } = new URL(source.latestUrl);
  let state: UpdateState = { state: 'unchecked' };
  let checking: Promise<UpdateState> | undefined;
  let cancelTimer = clock.after(firstCheckMs, checkAutomatically);

  function checkAutomatically(): void {
    cancelTimer = clock.after(intervalMs, checkAutomatically);
    if (options.isAutomatic()) void check();
  }

  function check(): Promise<UpdateState> {
    checking ??= run().finally(() => {
      checking = undefined;
      options.onChanged();
    });
    return checking;
  }

  async function run(): Promise<UpdateState> {
    try {
      const tag = await fetchLatestTag();
      // Its expressions would take a hundredth of the app's start.
      const { gt, valid } = await import('semver');
      // "v1.2.3" and "1.2.3" alike (https://semver.org).
      const version = valid(tag);
      if (version === null) {
        const sentence = `Couldn’t check for updates: the response from ${host} does not name a version. Open the release page.`;
        throw new AppFailure('PROTOCOL', sentence);
      }
      const checkedAt = formatInstant(clock.now());
      const pageUrl = `${source.pageUrl}/tag/${encodeURIComponent(tag)}`;
      state = gt(version, currentVersion)
        ? { state: 'available', version, pageUrl, checkedAt }
        : { state: 'current', checkedAt };
    } catch (error) {
      log.info({ err: error }, 'update check failed');
      // What an earlier check found is still true.
      if (state.state !== 'available') {
        state = { state: 'failed', problem: toProblem(error), checkedAt: formatInstant(clock.now()) };
      }
    }
    return state;
  }

  async function fetchLatestTag(): Promise<string> {
    const { status, body } = await sender.send({
      method: 'GET',
      url: source.latestUrl,
      // GitHub rejects requests without a User-Agent.
      headers: [
        ['accept', 'application/vnd.github+json'],
        ['user-agent', `Rainbell/${currentVersion}`],
      ],
      limit,
    });
    if (status !== 200) {
      throw new AppFailure(
        'PROTOCOL',
        `Couldn’t check for updates: ${host} returned HTTP ${status}. Try again later, or open the release page.`,
        { httpStatus: status },
      );
    }
    return releaseSchema.safeParse(parseJsonObject(body.toString())).data?.tag_name ?? '';
  }

  return {
    state: (): UpdateState => state,
    /** Checks the release URL now. Never throws: a failed check is a state. */
    check,
    async close() {
      cancelTimer();
      await sender.close();
    },
  };
}
