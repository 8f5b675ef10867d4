import { z } from 'zod';
import { defineOperation } from './operation.ts';

const milliseconds = z.string().describe('Milliseconds since 1970, as a string');

const dataPoint = z.looseObject({
  messagesSent: z.number(),
  readReceipts: z.number(),
  deliveryReceipts: z.number(),
  startTime: milliseconds,
  endTime: milliseconds,
});

const statistics = z
  .looseObject({
    startTime: milliseconds,
    endTime: milliseconds,
    appId: z.string().optional(),
    dataPoints: z.array(dataPoint).describe('One for every five minutes'),
  })
  .meta({ id: 'MessageStatistics', description: 'How much was sent, delivered and read' });

export const getMessageStats = defineOperation({
  name: 'getMessageStats',
  summary: 'Returns how many messages were sent, delivered and read, in intervals of five minutes',
  area: 'Statistics',
  method: 'GET',
  path: '/v3/stats/messages',
  answer: z.looseObject({ data: statistics }),
  errors: [],
  rateClass: 'standard',
  notes: [
    { from: 'specification', says: 'Times are strings of milliseconds, unlike all other times.' },
    { from: 'assumed', says: 'Imported messages are not counted.' },
  ],
  example: {
    parameters: {},
    answer: {
      data: {
        startTime: '1790000100000',
        endTime: '1790000700000',
        appId: 'app',
        dataPoints: [
          {
            messagesSent: 2,
            readReceipts: 1,
            deliveryReceipts: 2,
            startTime: '1790000100000',
            endTime: '1790000400000',
          },
          {
            messagesSent: 0,
            readReceipts: 0,
            deliveryReceipts: 0,
            startTime: '1790000400000',
            endTime: '1790000700000',
          },
        ],
      },
    },
  },
});
