import { answerWith } from '../answers.ts';
import type { Handler } from './service.ts';
import { intervalSeconds, intervalStart } from '../data/statistics.ts';

/** A day. The specification does not say how far back the points go. */
const intervalCount = 288;

/** The last 24 hours, the interval of this moment included. */
export const getMessageStats: Handler<'getMessageStats'> = ({ id, statistics, nowSeconds }) => {
  const last = intervalStart(nowSeconds());
  const first = last - (intervalCount - 1) * intervalSeconds;
  const activities = statistics.between(first, last);
  const dataPoints = Array.from({ length: intervalCount }, (_, index) => {
    const startedAt = first + index * intervalSeconds;
    const activity = activities.get(startedAt);
    return {
      messagesSent: activity?.sent ?? 0,
      readReceipts: activity?.read ?? 0,
      deliveryReceipts: activity?.delivered ?? 0,
      startTime: milliseconds(startedAt),
      endTime: milliseconds(startedAt + intervalSeconds),
    };
  });
  const span = { startTime: milliseconds(first), endTime: milliseconds(last + intervalSeconds) };
  return answerWith({ ...span, appId: id, dataPoints });
};

const milliseconds = (seconds: number): string => String(seconds * 1000);
