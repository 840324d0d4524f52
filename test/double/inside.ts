// Under this key the double's objects keep what real Electron does not show. The conformance check passes over it, so that
// nothing else can be on them. Tests reach it by `Symbol.for`, because their functions run without imports.
export const inside: unique symbol = Symbol.for('inside the double');

/** An event as Electron's are: `preventDefault` is asked afterwards. */
export type PreventableEvent = { defaultPrevented: boolean; preventDefault: () => void };

export function preventable<Details extends object>(details: Details): Details & PreventableEvent {
  const event = {
    ...details,
    defaultPrevented: false,
    preventDefault() {
      event.defaultPrevented = true;
    },
  };
  return event;
}

/**
 * From now on every method and property of the object throws, but for `isDestroyed`, what `EventEmitter` gives and `kept`:
 * as Electron's objects do, whose native half is gone (shell/common/gin_helper/trackable_object.h, "Object has been destroyed").
 */
export function markDestroyed(object: object, kept: readonly string[] = []): void {
  const refuse = () => {
    throw new TypeError('Object has been destroyed');
  };
  const prototype = Object.getPrototypeOf(object) as object;
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (['constructor', 'isDestroyed', ...kept].includes(name)) continue;
    Object.defineProperty(object, name, descriptor.get ? { get: refuse } : { value: refuse });
  }
}
