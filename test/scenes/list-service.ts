import { fakeService, type FakeService } from '../cli/fake-service.ts';

export interface ListServiceOptions {
  readonly count: number;
  /** Whether a page begins with the row of its cursor. */
  readonly isInclusive?: boolean;
  /** Whether a missing `next` marks the end, or only an empty page. */
  readonly namesEnd?: boolean;
  /** Ids beyond what numbers hold, as numbers, in an answer that is spread over lines. */
  readonly hasLongIds?: boolean;
  /** Answers the n-th request (from 1) instead, where it has something to say. */
  readonly instead?: (
    request: number,
  ) => { status: number; headers?: Record<string, string>; body: string } | undefined;
}

/** Unix seconds of the first message; each is a second later. */
export const firstSecond = 1_772_467_320;

/** A service that lists made-up messages of three groups by `id`, `limit` and nothing else: filters are ignored. */
export async function listService(options: ListServiceOptions): Promise<FakeService> {
  const { count, isInclusive = false, namesEnd = true, hasLongIds = false, instead } = options;
  const base = hasLongIds ? 9_007_199_254_740_993n : 1n;
  const rows = Array.from({ length: count }, (_, index) => row(base + BigInt(index), index, hasLongIds));
  let requests = 0;
  return fakeService((request, response) => {
    requests += 1;
    const other = instead?.(requests);
    if (other)
      return void response
        .writeHead(other.status, { 'content-type': 'application/json', ...other.headers })
        .end(other.body);
    const query = new URL(request.url!, 'http://x').searchParams;
    const after = query.get('id');
    const start = after === null ? 0 : Number(BigInt(after) - base) + (isInclusive ? 0 : 1);
    const end = Math.min(count, start + Number(query.get('limit')));
    const isMore = end < count || !namesEnd;
    const next =
      isMore && end > start
        ? `,"next":{"affix":"append","sentAt":${firstSecond + end - 1},"id":"${base + BigInt(end - 1)}"}`
        : '';
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"meta":{"current":{"limit":${query.get('limit')}}${next}},"data":[${rows.slice(start, end).join(',')}]}`);
  });
}

function row(id: bigint, index: number, isLong: boolean): string {
  const group = `group${index % 3}`;
  const text = JSON.stringify(`Message ${index}, "quoted" ] } \u2028`);
  const gap = isLong ? '\r\n   ' : '';
  return (
    `{${gap}"id":${isLong ? id : `"${id}"`},${gap}"conversationId":"group_${group}","sender":"ann","receiverType":"group",` +
    `"receiver":"${group}","category":"message","type":"text","data":{"text":${text},${gap}"exact":${isLong ? id : 0}},` +
    `"sentAt":${firstSecond + index}}`
  );
}
