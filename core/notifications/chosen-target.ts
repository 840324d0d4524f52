// What the user chose outside of the screens, in a notification: screens show it, also one that opens because of it.
import type { Clock } from '@rainbell/shared';
import type { Notice, NotificationTarget } from '@rainbell/contract/app-rpc';
import type { NoticeHub } from '../ports/notices.ts';

/** A window opens within it. */
const rememberedMs = 15_000;

export function createChosenTarget(notices: Pick<NoticeHub, 'publish'>, clock: Clock) {
  let version = 0;
  let last: { notice: Notice; at: number } | undefined;
  return {
    choose(target: NotificationTarget) {
      version += 1;
      const notice: Notice =
        target.kind === 'callback'
          ? { topic: 'show-callback', id: target.id, version }
          : { topic: 'show-monitor', id: target.id, version };
      last = { notice, at: clock.elapsed() };
      notices.publish(notice);
    },
    /** For a screen that has just opened. */
    present: (): Notice[] => (last && clock.elapsed() - last.at < rememberedMs ? [last.notice] : []),
  };
}
