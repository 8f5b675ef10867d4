import type { PersonCheck } from '../check.ts';

export const personCreatedInFuture: PersonCheck = {
  code: 'person-created-in-future',
  severity: 'information',
  title: 'People who were created in the future',
  explanation: 'The time at which the person was created lies ahead of now.',
  remedy: 'Check the time format of the source.',
  find: ({ createdAtMs }, { nowMs }) =>
    createdAtMs !== undefined && createdAtMs > nowMs ? `${createdAtMs} ms` : undefined,
};
