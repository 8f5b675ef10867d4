import { z } from 'zod';
import { assumed, defineOperation, specified } from '../operation.ts';

const milliseconds = z.string().describe('Milliseconds since 1970, as a string');

const dataPoint = z.lazy(() =>
  z.looseObject({
    messagesSent: z.number(),
    readReceipts: z.number(),
    deliveryReceipts: z.number(),
    startTime: milliseconds,
    endTime: milliseconds,
  }),
);

const statistics = z.lazy(() =>
  z
    .looseObject({
      startTime: milliseconds,
      endTime: milliseconds,
      appId: z.string().optional(),
      dataPoints: z.array(dataPoint).describe('One for every five minutes'),
    })
    .meta({ id: 'MessageStatistics', description: 'How much was sent, delivered and read' }),
);

export const getMessageStats = defineOperation({
  name: 'getMessageStats',
  summary: 'Returns how many messages were sent, delivered and read, in intervals of five minutes',
  area: 'Statistics',
  method: 'GET',
  path: '/v3/stats/messages',
  answer: z.looseObject({ data: statistics }),
  notes: [
    specified('Times are strings of milliseconds, unlike all other times.'),
    assumed('Imported messages are not counted.'),
  ],
});
