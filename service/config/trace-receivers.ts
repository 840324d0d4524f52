/** Who may receive the IDs of our traces. */
export const traceReceivers = ['providers', 'callbacks'] as const;
export type TraceReceiver = (typeof traceReceivers)[number];
