// Whether this program runs from an AppImage. Its file stays; what is in it is mounted again, elsewhere, at each start.

/** Its path, or undefined. Programs inherit the variables of another AppImage, so this one must be inside the mount. */
export function appImageOf(env: Record<string, string | undefined> = process.env): string | undefined {
  const { APPIMAGE: file, APPDIR: mount } = env;
  return file && mount && process.execPath.startsWith(`${mount}/`) ? file : undefined;
}
