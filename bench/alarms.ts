import { Looks } from '../src/plan/looks.ts';
import { WriterCounts } from '../src/plan/writer-counts.ts';
import { newMessage } from '../src/model/new-message.ts';

/**
 * The cost of judging a reading: ten million messages of a million people in a million conversations. Run with `--expose-gc`; a number of
 * messages may follow.
 */
const messages = Number(process.argv[2] ?? 10_000_000);
const conversations = messages / 10;

const words = 'the harbour opens at six and nobody reads words; Grüße, 日本 and 🎉 stay as they are'.split(' ');
const texts = Array.from({ length: 4096 }, (_, index) =>
  Array.from({ length: 8 + (index % 12) }, (_, at) => words[(index * 7 + at * 5) % words.length]).join(' '),
);

const recordOf = (index: number) => {
  const conversation = Math.floor(index / 10);
  const origin = { source: 'csv', workspace: '', conversation: `room-${conversation}`, id: String(index) };
  const record = newMessage({
    origin,
    sortKey: '',
    sentAtMs: 1_500_000_000_000 + index * 1000,
    text: texts[index % 4096]!,
  });
  return { ...record, author: `user-${(conversation * 31 + (index % 3) * 7) % conversations}` };
};

/** Made before the clock starts: the records are not what is measured. */
const chunk = 100_000;
let microseconds = 0;
const timed = <Result>(work: () => Result): Result => {
  const start = process.cpuUsage();
  const result = work();
  microseconds += process.cpuUsage(start).user;
  return result;
};
const megabytes = () => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
};

const before = megabytes();
let most = 0;
let looks: Looks | undefined = new Looks(true);
for (let from = 0; from < messages; from += chunk) {
  let records: ReturnType<typeof recordOf>[] | undefined = Array.from({ length: chunk }, (_, at) =>
    recordOf(from + at),
  );
  timed(() => {
    for (const record of records!) looks!.add(record, 0);
  });
  records = undefined;
  if (from % (chunk * 10) === 0) most = Math.max(most, megabytes() - before);
}
const seen = timed(() => looks!.seen());
looks = undefined;
const writers = new WriterCounts();
timed(() => {
  for (let id = 1; id <= conversations; id++)
    for (const add of [1, 8, 15]) writers.add(id, ((id * 31 + add) % conversations) + 1, 3);
});
most = Math.max(most, megabytes() - before);
const people = function* () {
  for (let id = 1; id <= conversations; id++)
    yield {
      id,
      sourceId: `user-${id}`,
      name: `Person ${id} Berg`,
      email: null,
      handle: null,
      isBot: false,
      isPlaceholder: false,
    };
};
const result = timed(() =>
  writers.result({ people: people(), direct: [], conversationName: (id) => `room-${id}`, isName: () => false }),
);
most = Math.max(most, megabytes() - before);
process.stdout.write(
  `${messages} messages, ${result.conversations.count} conversations: ${(microseconds / messages).toFixed(2)} µs of computing a message, ${most.toFixed(0)} MB held, ${seen.copies} copies\n`,
);
