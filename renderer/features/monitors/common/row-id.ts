/** The element ID of a monitor's row in the table. */
export const rowId = (monitorId: string) => `monitor-row-${monitorId}`;
