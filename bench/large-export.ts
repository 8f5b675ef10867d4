export interface LargeExport {
  readonly messages: number;
  /** One of them holds nine messages in ten, the others share the rest. */
  readonly conversations: number;
}

const people = 50;
/** 2024-03-01, a Friday. */
const firstMs = 1_709_251_200_000;

/** An export in our own format, line by line: always the same. Three messages a second, so that many differ in order alone. */
export function* largeExportLines({ messages, conversations }: LargeExport): Generator<string> {
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  yield line({ kind: 'chatferry', version: 1, source: 'made-up' });
  const members = Array.from({ length: people }, (_, index) => `u${index}`);
  for (const id of members) yield line({ kind: 'user', id, name: `Person ${id}` });
  for (let index = 0; index < conversations; index++) {
    yield line({ kind: 'conversation', id: `c${index}`, type: 'private', name: `Conversation ${index}`, members });
  }
  for (let number = 0; number < messages; number++) {
    const isElsewhere = number % 10 === 9;
    const conversation = `c${isElsewhere ? 1 + (Math.floor(number / 10) % (conversations - 1)) : 0}`;
    const origin = { source: 'made-up', workspace: '', conversation, id: String(number) };
    const text = `Message ${number} of ${conversation}, ${'with some words '.repeat(number % 12)}to the end`;
    const sentAtMs = firstMs + Math.floor((number * 1000) / 3);
    const sortKey = String(number).padStart(9, '0');
    yield line({ kind: 'message', origin, sortKey, sentAtMs, author: members[number % people], text });
  }
}
