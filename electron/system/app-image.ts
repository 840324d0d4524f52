// Whether this program runs from an AppImage. Its file stays; what is in it is mounted again, elsewhere, at each start.

/** Returns its path. A program inherits the variables of an AppImage that started it, so this one must be inside the mount. */
export function appImageOf(env: Record<string, string | undefined> = process.env): string | undefined {
  const { APPIMAGE: file, APPDIR: mount } = env;
  return file && mount && process.execPath.startsWith(`${mount}/`) ? file : undefined;
}
