// Whether the list follows new callbacks, remembered in this window's own storage.

const storageKey = 'rainbell.callbacks.follow';

/** Yes, unless the user chose otherwise. */
export function readFollowing(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'no';
  } catch {
    return true;
  }
}

export function saveFollowing(isFollowing: boolean): void {
  try {
    localStorage.setItem(storageKey, isFollowing ? 'yes' : 'no');
  } catch {
    // A full or forbidden storage costs the memory of the choice only.
  }
}
