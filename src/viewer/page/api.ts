/** Asks the program that served this page. */

/** A request that was answered with an error, in words for people. */
export class Refused extends Error {
  /** `DESK_BUSY`; undefined if the program has stopped. */
  readonly code: string | undefined;
  readonly hint: string | null;

  constructor(
    message: string,
    { code, hint }: { readonly code?: string | undefined; readonly hint?: string | null } = {},
  ) {
    super(message);
    this.code = code;
    this.hint = hint ?? null;
  }
}

const asked = new Map<string, Promise<unknown>>();

/**
 * @param name `messages`, or a whole path: `/desk/data/state`; @param search its parameters, those that are empty left out.
 * @throws Refused
 */
export async function ask<Answer>(
  name: string,
  search: Readonly<Record<string, string | number | undefined>> = {},
): Promise<Answer> {
  const given = Object.entries(search).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [[key, String(value)]],
  );
  const base = name.startsWith('/') ? name : `${document.documentElement.dataset.base}/${name}`;
  const path = `${base}?${new URLSearchParams(given)}`;
  // The same question twice at once is asked once.
  const answer = asked.get(path) ?? request(path).finally(() => asked.delete(path));
  asked.set(path, answer);
  return (await answer) as Answer;
}

const request = async (path: string): Promise<unknown> => await readAnswer(fetch(path, { credentials: 'same-origin' }));

/** @throws Refused */
export async function readAnswer(asking: Promise<Response>): Promise<unknown> {
  const response = await asking.catch(() => {
    throw new Refused(`${document.title} has stopped: start it again in the terminal`);
  });
  if (!response.ok) throw await toRefused(response);
  return await response.json();
}

async function toRefused(response: Response): Promise<Refused> {
  if (response.status === 404) return new Refused('There is nothing by that name');
  const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined;
  return new Refused(body?.error?.message ?? `${document.title} answered ${response.status}`, body?.error);
}

interface ErrorBody {
  readonly error?: { readonly message?: string; readonly code?: string; readonly hint?: string | null };
}
