import type { TransportAnswer } from '../../service/transport.ts';
import { type FrontRequest, json } from '../../viewer/front.ts';
import { Busy } from '../runs/runner.ts';
import type { DeskError, DeskRoutes } from '../shapes.ts';
import { refusalOfWrite } from './guard.ts';

/** Functions that answer the requests of the page, by method and name. Only requests that change something have a body, which is JSON. */
export type Answers = {
  readonly [Route in keyof DeskRoutes]: (search: URLSearchParams, body: unknown) => DeskRoutes[Route];
};

/** A request whose body is not what it should be. */
export class BadRequest extends Error {}

/** Begin of the paths under which the page asks. */
const dataPath = '/data/';

/** Answers a request of the page; undefined if nothing has that name. */
export function answerRequest(answers: Answers, request: FrontRequest): TransportAnswer | undefined {
  const { method, path, search, body } = request;
  const route = `${method} ${path.slice(dataPath.length)}`;
  if (!path.startsWith(dataPath) || !isRoute(answers, route)) return undefined;
  const refused = method === 'GET' ? undefined : refusalOfWrite(request);
  if (refused !== undefined) return failed(403, 'DESK_REFUSED', refused);
  try {
    return json(answers[route](search, method === 'GET' ? undefined : parsed(body)));
  } catch (error) {
    if (error instanceof Busy) return failed(409, 'DESK_BUSY', 'Another run is going on');
    if (error instanceof BadRequest) return failed(400, 'DESK_BAD_REQUEST', error.message);
    throw error;
  }
}

const isRoute = (answers: Answers, route: string): route is keyof DeskRoutes => Object.hasOwn(answers, route);

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new BadRequest('Cannot read the request: expected JSON');
  }
}

function failed(status: number, code: string, message: string): TransportAnswer {
  const error: DeskError = { code, message, hint: null };
  return { ...json({ error }), status };
}
