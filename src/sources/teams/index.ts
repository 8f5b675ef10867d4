import { noOptions } from '../kit/options.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { teamsCodes } from './codes.ts';

/** Exports of Microsoft Teams, as `format.ts` says. */
export const teams = defineSource({
  name: 'teams',
  title: 'Microsoft Teams (Graph API, export of a tenant, personal export)',
  options: noOptions,
  codes: teamsCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  { objects: [{ at: '', keys: ['userId', 'exportDate', 'conversations'] }] },
  {
    objects: [
      {
        at: '**',
        keys: ['messageType', 'createdDateTime', 'body', 'from'],
        values: { messageType: /^(?:message|chatEvent|typing|systemEventMessage|unknownFutureValue)$/ },
      },
    ],
  },
  {
    objects: [
      {
        at: '**',
        keys: ['chatType', 'createdDateTime', 'lastUpdatedDateTime'],
        values: { chatType: /^(?:oneOnOne|group|meeting)$/ },
      },
    ],
  },
  { objects: [{ at: '**', keys: ['roles', 'visibleHistoryStartDateTime', 'userId'] }] },
  { objects: [{ at: '**', keys: ['MessageType', 'CreatedDateTime', 'Body', 'From'] }] },
  { objects: [{ at: '', keys: ['GroupsId', 'StandardChannels', 'PrivateChannels'] }] },
  {
    files: /(?:^|\/)(?:messages|channels|teamMembers)_[0-9a-f]{8}-[0-9a-f-]{27}\.json$/i,
    shows: 'the id of a team or person in its name',
  },
  {
    files: /(?:^|\/)teams\/teamsList\.json$/i,
    beside: [/(?:^|\/)users\/usersList\.json$/i],
    shows: '"usersList.json" beside it',
  },
];
