// What pages may do, asked of the app's handlers as Electron's permission manager asks, and carried out by Chromium.
// Electron: shell/browser/electron_permission_manager.cc. Without a handler everything is granted.
import type { BrowserContext } from 'playwright';
import { world } from './world.ts';

/** Every name that Electron 45 passes to the handlers (electron.d.ts, `setPermissionCheckHandler`). */
const permissionNames = `
  ar automatic-fullscreen background-fetch background-sync captured-surface-control clipboard-read
  clipboard-sanitized-write deprecated-sync-clipboard-read display-capture fileSystem fullscreen geolocation
  geolocation-approximate hand-tracking hid idle-detection keyboardLock local-fonts local-network local-network-access
  loopback-network media mediaKeySystem midi midiSysex nfc notifications openExternal payment-handler
  periodic-background-sync persistent-storage pointerLock screen-wake-lock sensors serial smart-card speaker-selection
  storage-access system-wake-lock top-level-storage-access usb vr web-app-installation web-printing window-management
  unknown
`
  .trim()
  .split(/\s+/);

export type PermissionRequest = (
  contents: unknown,
  permission: string,
  answer: (isGranted: boolean) => void,
  details: { requestingUrl: string; isMainFrame: boolean },
) => void;
export type PermissionCheck = (contents: unknown, permission: string, origin: string, details: object) => boolean;
export type DevicePermission = (details: { deviceType: string; origin: string; device: object }) => boolean;

export type PermissionHandlers = {
  permissionCheck?: PermissionCheck | null;
  permissionRequest?: PermissionRequest | null;
  devicePermission?: DevicePermission | null;
};

/**
 * What pages of the tests use, by Electron's names, with the handler that decides: `check` where Blink only looks whether it may (writing
 * to the clipboard does, without asking), `request` where it asks. Chromium denies the headless pages everything else.
 */
const inChromium = [
  ['clipboard-read', 'requested', 'clipboard-read'],
  ['clipboard-sanitized-write', 'checked', 'clipboard-write'],
] as const;

/** Asks both handlers as for the main frame of a page. A handler that does not answer at once has not granted. */
function queryHandlers(handlers: PermissionHandlers, name: string, address: string) {
  const details = { requestingUrl: address, isMainFrame: true };
  const { permissionCheck, permissionRequest } = handlers;
  const checked = permissionCheck?.(null, name, originOf(address), { ...details, securityOrigin: address }) ?? true;
  let requested = !permissionRequest;
  permissionRequest?.(null, name, (isGranted) => (requested = isGranted), details);
  return { checked, requested };
}

/** What the handlers answer to every permission's name, and for devices that were chosen before. */
export function queryAll(handlers: PermissionHandlers, address: string) {
  const device = { vendorId: 1, productId: 2 };
  const mayUse = (deviceType: string) =>
    handlers.devicePermission?.({ deviceType, origin: originOf(address), device }) ?? false;
  return {
    permissions: Object.fromEntries(permissionNames.map((name) => [name, queryHandlers(handlers, name, address)])),
    devices: Object.fromEntries(['hid', 'serial', 'usb'].map((type) => [type, mayUse(type)])),
  };
}

/** Makes Chromium follow the app's handlers for the origin of an address. */
export async function settlePermissions(
  handlers: PermissionHandlers,
  address: string,
  context: BrowserContext,
): Promise<void> {
  const { origin } = new URL(world.addresses.toChromium(address));
  if (origin === 'null') return;
  const granted = inChromium.filter(([name, decider]) => queryHandlers(handlers, name, address)[decider]);
  await context.grantPermissions(
    granted.map(([, , permission]) => permission),
    { origin },
  );
}

/** An origin as Electron passes it: an address with the path "/". */
function originOf(address: string): string {
  const [origin = ''] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(address) ?? [];
  return origin === '' ? address : `${origin}/`;
}
