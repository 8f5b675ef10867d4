import { z } from 'zod';
import { UsageError } from '../lib/errors.ts';
import { readNamedFile } from '../lib/files/named-file.ts';
import type { Transport, TransportRequest } from '../service/transport.ts';

const line = z.strictObject({
  /** `GET /v1/Conversations?PageSize=100`, without the host. */
  request: z.string().regex(/^(?:GET|POST) \//, { error: 'expected "GET /path?query" or "POST /path"' }),
  /** Only a POST has one. */
  body: z.unknown().optional(),
  status: z.int().default(200),
  headers: z.record(z.string(), z.string()).default({}),
  answer: z.unknown(),
});

type PlayedAnswer = z.output<typeof line>;

/** Answers of a provider from a file, to try a recipe without the provider. */
export interface PlayedAnswers {
  readonly transport: Transport;
  /** Requests for which no answer was written down, in their order. */
  readonly missing: readonly string[];
  /** Answers that were never asked for. */
  unused(): readonly string[];
}

/** @throws UsageError naming the line that is wrong. */
export function playAnswers(path: string): PlayedAnswers {
  const answers = readLines(path).map((text, index) => parsed(text, `${path}:${index + 1}`));
  const used = new Set<PlayedAnswer>();
  const missing: string[] = [];
  return {
    missing,
    unused: () => answers.filter((answer) => !used.has(answer)).map(({ request }) => request),
    transport: {
      async send(request) {
        const name = `${request.method} ${request.path}`;
        const found = answers.find((answer) => fits(answer, request));
        if (!found) {
          missing.push(name);
          return {
            status: 404,
            headers: {},
            body: JSON.stringify({ error: 'no answer is written down for this request' }),
          };
        }
        used.add(found);
        return { status: found.status, headers: lowerCase(found.headers), body: JSON.stringify(found.answer) };
      },
      close: async () => {},
    },
  };
}

const readLines = (path: string): readonly string[] =>
  readNamedFile(path, 'the answers')
    .split('\n')
    .filter((text) => text.trim() !== '');

function parsed(text: string, place: string): PlayedAnswer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${place}: expected a line of JSON, such as {"request":"GET /v1/rooms","answer":{}}`);
  }
  const result = line.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UsageError(`${place}: ${issue!.path.join('.')}: ${issue!.message}`);
}

/** The order of parameters says nothing. */
function fits(answer: PlayedAnswer, { method, path, body }: TransportRequest): boolean {
  if (sorted(answer.request) !== sorted(`${method} ${path}`)) return false;
  return answer.body === undefined || JSON.stringify(answer.body) === body;
}

function sorted(request: string): string {
  const [method, address] = request.split(' ', 2);
  const url = new URL(address!, 'http://provider');
  url.searchParams.sort();
  return `${method} ${url.pathname}${url.search}`;
}

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
