import type { TransportAnswer } from '../../service/transport.ts';
import { file, type FrontRequest, json } from '../../viewer/front.ts';
import type { DeskRoutes } from '../shapes.ts';
import { Download } from './download.ts';
import { toFaultAnswer, BadRequest, failed } from './faults.ts';

/**
 * What the page sent: its parameters, and its body. JSON is read, and not checked yet; a body of any other type is its bytes.
 * Undefined for requests that only read.
 */
export type Asked = readonly [search: URLSearchParams, body: unknown];

/** Functions that answer requests of the page, by method and name. */
export type AnswersTo<Routes> = {
  readonly [Route in keyof Routes]: (...asked: Asked) => Routes[Route] | Promise<Routes[Route]>;
};

export type Answers = AnswersTo<DeskRoutes>;

/** Begin of the paths under which the page asks. */
const dataPath = '/data/';

type Table = Readonly<Record<string, (...asked: Asked) => unknown>>;

/** Answers a request of the page; undefined if nothing has that name. */
export async function answerRequest(answers: Table, request: FrontRequest): Promise<TransportAnswer | undefined> {
  const { method, path, search } = request;
  const route = `${method} ${path.slice(dataPath.length)}`;
  const answer = path.startsWith(dataPath) && Object.hasOwn(answers, route) ? answers[route] : undefined;
  if (answer === undefined) return undefined;
  const refused = method === 'GET' ? undefined : refuseWrite(request);
  if (refused !== undefined) return failed(403, 'DESK_REFUSED', refused);
  try {
    return sent(await answer(search, parseBody(request)));
  } catch (error) {
    return toFaultAnswer(error);
  }
}

function sent(answer: unknown): TransportAnswer {
  if (!(answer instanceof Download)) return json(answer);
  const { type, text, fileName } = answer;
  const { headers, ...rest } = file(`${type}; charset=utf-8`, text);
  return { ...rest, headers: { ...headers, 'content-disposition': `attachment; filename="${fileName}"` } };
}

function parseBody({ method, headers, body }: FrontRequest): unknown {
  if (method === 'GET') return undefined;
  if (headers['content-type'] !== 'application/json') return body;
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new BadRequest('Cannot read the request: expected JSON');
  }
}

/**
 * Returns why a request that changes something is refused; undefined if the page itself sent it.
 *
 * A page from elsewhere cannot send these headers together: another origin, or the header of our own, makes the browser
 * ask first, and that question is answered with a refusal.
 */
export function refuseWrite({ headers }: Pick<FrontRequest, 'headers'>): string | undefined {
  if (headers.origin !== `http://${headers.host}`) return 'The desk is changed by its own page alone';
  if (headers['sec-fetch-site'] !== 'same-origin') return 'The desk is changed by its own page alone';
  if (headers['x-chatferry'] !== 'desk') return 'The desk is changed by its own page alone';
  if (!types.includes(headers['content-type'] ?? '')) return 'The desk takes JSON, bytes and CSV alone';
  return undefined;
}

/** None of them can be sent by a form. */
const types: readonly string[] = ['application/json', 'application/octet-stream', 'text/csv'];
