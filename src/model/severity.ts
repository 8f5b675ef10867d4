/** How much a finding matters, the worst first. */
export const severities = ['blocks', 'decision', 'information'] as const;
/** `blocks`: the message is not sent. `decision`: it is sent, and a person should decide whether that is right. */
export type Severity = (typeof severities)[number];
