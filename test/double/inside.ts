// Under this key the double's objects keep what real Electron does not show. The conformance check passes over it, so that
// nothing else can be on them.
export const inside = Symbol('inside the double');

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
