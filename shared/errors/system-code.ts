/** Returns the system's name of an error, such as `EADDRINUSE`, from the error or the nearest of its causes. */
export function systemCode(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    if ('code' in current && typeof current.code === 'string') return current.code;
  }
  return undefined;
}
