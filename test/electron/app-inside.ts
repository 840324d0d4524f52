// What the double recorded at `app`.
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
