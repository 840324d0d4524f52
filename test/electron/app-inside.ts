// What the double recorded at `app`, and what a user sees on a system that refuses notifications.
import type { Page } from 'playwright';
import { expect } from 'vitest';
import type { Rainbell } from './rainbell.ts';

export type AppInside = {
  badgeCount: number;
  loginItem?: object;
  protocolClients: string[];
  userModelId: string | undefined;
};

export const appInside = (rainbell: Rainbell): Promise<AppInside> =>
  rainbell.evaluate(({ app }) => {
    const inside = (app as unknown as Record<symbol, AppInside>)[Symbol.for('inside the double')]!;
    const { badgeCount, loginItem, protocolClients, userModelId } = inside;
    return { badgeCount, protocolClients, userModelId, ...(loginItem && { loginItem }) };
  });

/** Each refusal is logged, and all are one banner. */
export async function expectRefusedNotifications(rainbell: Rainbell, page: Page, reason: string): Promise<void> {
  await page.evaluate(() => void (location.hash = '#/settings'));
  const banner = page.getByText(`The system isn’t showing Rainbell’s notifications (${reason})`);
  await expect.poll(() => banner.count()).toBe(0);
  for (const count of [1, 2]) {
    await page.getByRole('button', { name: 'Send test notification' }).click();
    await expect
      .poll(async () => (await rainbell.log()).split('a notification could not be shown').length - 1)
      .toBe(count);
  }
  await expect.poll(() => banner.count()).toBe(1);
}
