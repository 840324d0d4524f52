/** Several times as fast as `toFixed`, for the thousands of coordinates of a comparison. */
export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
