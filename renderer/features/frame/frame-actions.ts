// Restart, updates, and what else the frame rarely does: loaded after the first screen.
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';
import { runRequest, toFailure } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import type { FrameActions, FrameSlice } from './frame-slice.ts';

export function createFrameActions({ client, read, change }: SliceTools<FrameSlice>): FrameActions {
  return {
    async acknowledgeDamage(id) {
      try {
        await client.app.acknowledgeDamage({ id });
        return undefined;
      } catch (error) {
        const failure = toFailure(error);
        // Another window hid it; the new status shows what is left.
        return failure.code === 'NOT_FOUND' ? undefined : failure;
      } finally {
        void read().loadStatus();
      }
    },
    async restart() {
      try {
        await client.app.restart();
        return undefined;
      } catch (error) {
        const failure = toFailure(error);
        // The app may be gone before its response arrives.
        return failure.code === 'LINK_LOST' ? undefined : failure;
      }
    },
    async renewToken() {
      try {
        await client.app.renewToken();
        return undefined;
      } catch (error) {
        return toFailure(error);
      } finally {
        void read().loadStatus();
      }
    },
    async moveReceiver(port) {
      const moved = await runRequest(
        (moving) => change({ moving }),
        () => client.app.moveReceiver({ port }),
      );
      void read().loadStatus();
      return moved !== undefined;
    },
    checkForUpdate: oneAtATime(async () => {
      await runRequest(
        (updateCheck) => change({ updateCheck }),
        () => client.updates.check(),
      );
      await read().loadStatus();
    }),
  };
}
