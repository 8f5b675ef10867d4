import { hash, timingSafeEqual } from 'node:crypto';
import type { TransportAnswer, TransportRequest } from '../../service/transport.ts';
import { answerWith, badRequest, type Complaint, toDetails, failure, refuseWith } from '../answers.ts';
import type { Book } from '../book.ts';
import { header, bodyText } from '../app.ts';
import { parseJson } from '../rules/item-shape.ts';
import { type SeedPlan, seedPlan } from '../seed-plan.ts';
import { type FaultPlan, type FaultPlanInput, faultPlan } from '../fault-plan.ts';

/** Prefix of paths that only a sandbox has. Only this machine may request them. */
export const controlPrefix = '/sandbox/';

/** State that control requests read and change. */
interface Controlled {
  get plan(): FaultPlan;
  set plan(input: FaultPlanInput);
  readonly book: Pick<Book, 'applied' | 'summary'>;
  make(plan: SeedPlan): Complaint | undefined;
}

/** Muids in one question to the book. */
const muidsMax = 1_000;

/**
 * Answers what is asked of the sandbox itself, with its key:
 *
 * - `GET`, `PUT` and `DELETE /sandbox/faults`: the plan of faults; `DELETE` ends all of them.
 * - `POST /sandbox/seed`: makes bots, API keys, auth tokens, roles and whatever else no operation can make.
 * - `GET /sandbox/book`: what was seen and applied; `?muid=…`, repeated, asks about single messages.
 */
export function createControl(sandbox: Controlled, apiKey: string): (request: TransportRequest) => TransportAnswer {
  return (request) => {
    if (!isKey(apiKey, header(request, 'apikey') ?? '')) {
      return failure(401, { code: 'AUTH_ERR_APIKEY_NOT_FOUND', message: "Expected the sandbox's own key as apikey" });
    }
    const { pathname, searchParams } = new URL(request.path, 'http://sandbox');
    const answer = routes[`${request.method} ${pathname}`];
    return (
      answer?.(sandbox, request, searchParams) ??
      failure(404, { code: 'ERR_API_NOT_FOUND', message: `Expected one of ${Object.keys(routes).join(', ')}` })
    );
  };
}

type Answer = (sandbox: Controlled, request: TransportRequest, search: URLSearchParams) => TransportAnswer;

const routes: Readonly<Record<string, Answer>> = {
  'GET /sandbox/faults': (sandbox) => answerWith(sandbox.plan),
  'PUT /sandbox/faults': changePlan,
  'DELETE /sandbox/faults': (sandbox) => {
    sandbox.plan = {};
    return answerWith(sandbox.plan);
  },
  'POST /sandbox/seed': seed,
  'GET /sandbox/book': (sandbox, _request, search) => {
    const muids = search.getAll('muid');
    if (muids.length > muidsMax) return badRequest({ muid: [`expected ${muidsMax} at most, found ${muids.length}`] });
    const messages = muids.map((muid) => sandbox.book.applied(muid));
    return answerWith({ ...sandbox.book.summary(), ...(muids.length > 0 && { messages }) });
  },
};

function changePlan(sandbox: Controlled, { body }: TransportRequest): TransportAnswer {
  const json = parseJson(bodyText(body));
  if (json === undefined) return badRequest({ body: ['expected JSON'] });
  const { data, error } = faultPlan.safeParse(json);
  if (!data) return badRequest(toDetails(error.issues));
  sandbox.plan = data;
  return answerWith(sandbox.plan);
}

/** Answers with how many of each kind there were; a credential is never repeated. */
function seed(sandbox: Controlled, { body }: TransportRequest): TransportAnswer {
  const json = parseJson(bodyText(body));
  if (json === undefined) return badRequest({ body: ['expected JSON'] });
  const { data, error } = seedPlan.safeParse(json);
  if (!data) return badRequest(toDetails(error.issues));
  const complaint = sandbox.make(data);
  if (complaint) return refuseWith(complaint);
  const counts = Object.entries(data).map(([kind, made]) => [kind, Array.isArray(made) ? made.length : 1]);
  return answerWith(Object.fromEntries(counts));
}

const isKey = (wanted: string, given: string): boolean =>
  timingSafeEqual(hash('sha256', wanted, 'buffer'), hash('sha256', given, 'buffer'));
