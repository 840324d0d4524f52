// Formats spans of time and sizes.
import { minuteMs } from '@rainbell/shared';

/** `6 h 40 min`, `2 d 3 h`, `12 s`; a minus is left to the caller. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}

/** `in 6 h 40 min`, `12 min ago`, `now` within half a minute. */
export function formatRelativeTime(at: number, now: number): string {
  const ahead = at - now;
  if (Math.abs(ahead) < minuteMs / 2) return 'now';
  return ahead > 0 ? `in ${formatDuration(ahead)}` : `${formatDuration(ahead)} ago`;
}

/** `312 B`, `24.6 kB`, `3.1 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `45.0703, 7.6869`, latitude first, with a true minus. */
export function formatCoordinates({ lat, lng }: { lat: number; lng: number }, digits = 4): string {
  const write = (value: number) => String(Number(value.toFixed(digits))).replace('-', '−');
  return `${write(lat)}, ${write(lng)}`;
}
