/** Several times as fast as `toFixed`, for the thousands of coordinates of thirty sides. */
export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
