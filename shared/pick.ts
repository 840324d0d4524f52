/** These members of an object, and no other. */
export function pick<From extends object, Name extends keyof From>(from: From, ...names: Name[]): Pick<From, Name> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>;
}
