import type { MessageCheck } from '../check.ts';

export const callEndsBeforeStart: MessageCheck = {
  code: 'call-ends-before-start',
  severity: 'information',
  title: 'Calls that end before they begin',
  explanation: 'The times of the call are the wrong way round: one of them has another unit or zone.',
  remedy: 'Check the time format of the source.',
  concerns: 'calls',
  find: ({ call }) =>
    call?.startedAtMs !== undefined && call.endedAtMs !== undefined && call.endedAtMs < call.startedAtMs
      ? `${call.startedAtMs - call.endedAtMs} ms before`
      : undefined,
};
