// Saves a window's position between starts, and validates it: a position on a display that was removed, or that became smaller,
// moves into view.
import { z } from 'zod';

const boundsSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
export type Bounds = z.infer<typeof boundsSchema>;

const windowPlaceSchema = z.object({
  bounds: boundsSchema,
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
): { bounds: Bounds | Pick<Bounds, 'width' | 'height'>; isMaximized: boolean; zoomFactor: number } {
  const area = saved ? workAreas.find((candidate) => isInSight(saved.bounds, candidate)) : workAreas[0];
  const { width, height } = fit(saved?.bounds ?? defaultWindow, area);
  const { isMaximized = false, zoomFactor = 1 } = saved ?? {};
  if (!saved || !area) return { bounds: { width, height }, isMaximized, zoomFactor };
  const x = between(saved.bounds.x, area.x, area.x + area.width - width);
  const y = between(saved.bounds.y, area.y, area.y + area.height - height);
  return { bounds: { x, y, width, height }, isMaximized, zoomFactor };
}

function isInSight(bounds: Bounds, area: Bounds): boolean {
  const right = Math.min(bounds.x + bounds.width, area.x + area.width);
  const bottom = Math.min(bounds.y + bounds.height, area.y + area.height);
  return right - Math.max(bounds.x, area.x) >= minVisible && bottom - Math.max(bounds.y, area.y) >= minVisible;
}

function fit(size: Pick<Bounds, 'width' | 'height'>, area: Bounds | undefined): Pick<Bounds, 'width' | 'height'> {
  return {
    width: between(size.width, minWindow.width, area?.width ?? size.width),
    height: between(size.height, minWindow.height, area?.height ?? size.height),
  };
}

function between(value: number, min: number, max: number): number {
  return Math.round(Math.max(min, Math.min(value, max)));
}
