// The callback that the person chose outside of the screens, in a notification: screens hear of it, also one that opens by it.
import type { Clock } from '#shared/time/clock.ts';
import type { Notice } from '#contract/app-rpc/app.ts';
import type { NoticeHub } from '#core/ports/notices.ts';

export type ChosenCallback = {
  choose: (callbackId: number) => void;
  /** For a screen that has just opened. */
  present: () => Notice[];
};

/** A window opens within it. */
const rememberedMs = 15_000;

export function createChosenCallback(notices: Pick<NoticeHub, 'publish'>, clock: Clock): ChosenCallback {
  let version = 0;
  let last: { notice: Notice; at: number } | undefined;
  return {
    choose(id) {
      version += 1;
      last = { notice: { topic: 'show-callback', id, version }, at: clock.elapsed() };
      notices.publish(last.notice);
    },
    present: () => (last && clock.elapsed() - last.at < rememberedMs ? [last.notice] : []),
  };
}
