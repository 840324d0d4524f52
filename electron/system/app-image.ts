// Whether this program runs from an AppImage. Its file stays; what is in it is mounted again, elsewhere, at each start.

/**
 * Returns the AppImage's path, or undefined. A program that was started from the terminal of another app's AppImage inherits that one's
 * variables, so the program must be inside the mount.
 */
export function appImageOf(env: Record<string, string | undefined> = process.env): string | undefined {
  const { APPIMAGE: file, APPDIR: mount } = env;
  return file && mount && process.execPath.startsWith(`${mount}/`) ? file : undefined;
}
