// Saves a window's position between starts, and validates it: a position on a display that was removed, or that became smaller,
// moves into view.
import { z } from 'zod';

const sizeSchema = z.object({ width: z.number(), height: z.number() });
const boundsSchema = sizeSchema.extend({ x: z.number(), y: z.number() });
export type Bounds = z.infer<typeof boundsSchema>;
type Size = z.infer<typeof sizeSchema>;

const windowPlaceSchema = z.object({
  /** Only a size under Wayland. */
  bounds: z.union([boundsSchema, sizeSchema]),
  isMaximized: z.boolean(),
  zoomFactor: z.number().min(0.25).max(5),
});
export type WindowPlace = z.infer<typeof windowPlaceSchema>;

export const minWindow = { width: 640, height: 400 };
const defaultWindow = { width: 1280, height: 860 };
/** How much of a window must be on a display, so that the user can move it. */
const minVisible = 80;

/** Returns the stored place, or undefined if the file holds something else. */
export function readWindowPlace(saved: unknown): WindowPlace | undefined {
  return windowPlaceSchema.safeParse(saved).data;
}

/** The kept place brought into sight; without one, a size that fits the first display, wherever the system puts it. */
export function fitToDisplays(
  saved: WindowPlace | undefined,
  workAreas: readonly Bounds[],
): { bounds: Bounds | Size; isMaximized: boolean; zoomFactor: number } {
  const { isMaximized = false, zoomFactor = 1 } = saved ?? {};
  const bounds: Bounds | Size = saved?.bounds ?? defaultWindow;
  const area = isPlaced(bounds) ? workAreas.find((candidate) => isInSight(bounds, candidate)) : workAreas[0];
  const { width, height } = fit(bounds, area);
  if (!isPlaced(bounds) || !area) return { bounds: { width, height }, isMaximized, zoomFactor };
  const x = between(bounds.x, area.x, area.x + area.width - width);
  const y = between(bounds.y, area.y, area.y + area.height - height);
  return { bounds: { x, y, width, height }, isMaximized, zoomFactor };
}

function isPlaced(bounds: Bounds | Size): bounds is Bounds {
  return 'x' in bounds;
}

function isInSight(bounds: Bounds, area: Bounds): boolean {
  const right = Math.min(bounds.x + bounds.width, area.x + area.width);
  const bottom = Math.min(bounds.y + bounds.height, area.y + area.height);
  return right - Math.max(bounds.x, area.x) >= minVisible && bottom - Math.max(bounds.y, area.y) >= minVisible;
}

function fit(size: Size, area: Bounds | undefined): Size {
  return {
    width: between(size.width, minWindow.width, area?.width ?? size.width),
    height: between(size.height, minWindow.height, area?.height ?? size.height),
  };
}

function between(value: number, min: number, max: number): number {
  return Math.round(Math.max(min, Math.min(value, max)));
}
