import type { TransportAnswer } from '../../service/transport.ts';
import { file, type FrontRequest, json } from '../../viewer/front.ts';
import type { DeskRoutes } from '../shapes.ts';
import { Download } from './download.ts';
import { toFaultAnswer, BadRequest, failed } from './faults.ts';
import { refuseWrite } from './guard.ts';

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
