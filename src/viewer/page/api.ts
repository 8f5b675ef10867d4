/** Asks the program that served this page. */

const asked = new Map<string, Promise<unknown>>();

/**
 * @param name `messages`; @param search its parameters, those that are empty left out.
 * @throws Error with a sentence for people.
 */
export async function ask<Answer>(
  name: string,
  search: Readonly<Record<string, string | number | undefined>> = {},
): Promise<Answer> {
  const given = Object.entries(search).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [[key, String(value)]],
  );
  const path = `${document.documentElement.dataset.base}/${name}?${new URLSearchParams(given)}`;
  // The same question twice at once is asked once.
  const answer = asked.get(path) ?? request(path).finally(() => asked.delete(path));
  asked.set(path, answer);
  return (await answer) as Answer;
}

async function request(path: string): Promise<unknown> {
  return await answerOf(fetch(path, { credentials: 'same-origin' }));
}

/** @throws Error with a sentence for people. */
export async function answerOf(asking: Promise<Response>): Promise<unknown> {
  const response = await asking.catch(() => {
    throw new Error(`${document.title} has stopped: start it again in the terminal`);
  });
  if (response.status === 404) throw new Error('There is nothing by that name');
  if (!response.ok) throw new Error(await sentenceOf(response));
  return await response.json();
}

const sentenceOf = async (response: Response): Promise<string> => {
  const body = (await response.json().catch(() => undefined)) as { error?: { message?: string } } | undefined;
  return body?.error?.message ?? `${document.title} answered ${response.status}`;
};
