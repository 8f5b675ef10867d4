import { answerOf, ask } from '../../viewer/page/door.tsx';
import type { DeskRoutes, DeskState, ImportedPeople, UploadAnswer } from '../shapes.ts';

type NameOf<Method extends string> = {
  [Route in keyof DeskRoutes]: Route extends `${Method} ${infer Name}` ? Name : never;
}[keyof DeskRoutes];

export type Read = NameOf<'GET'>;
export type Sent = NameOf<'POST'>;
type AnswerTo<Method extends string, Name extends string> = `${Method} ${Name}` extends keyof DeskRoutes
  ? DeskRoutes[`${Method} ${Name}`]
  : never;
export type ReadAnswer<Name extends Read> = AnswerTo<'GET', Name>;
export type SentAnswer<Name extends Sent> = AnswerTo<'POST', Name>;

/** Path under which the desk itself is asked; the chats inside it have a path of their own. */
export const dataPath = (name: string): string => `/desk/data/${name}`;

/** @throws Refused */
export const read = <Name extends Read>(
  name: Name,
  search: Readonly<Record<string, string | number | undefined>> = {},
): Promise<ReadAnswer<Name>> => ask(dataPath(name), search);

/** The state as it is now: never the answer to a question that was asked before. @throws Refused */
export const readState = async (): Promise<DeskState> =>
  (await answerOf(fetch(dataPath('state'), { credentials: 'same-origin' }))) as DeskState;

/** Sends something that changes what the program does. @throws Refused */
export const send = async <Name extends Sent>(name: Name, body: object): Promise<SentAnswer<Name>> =>
  (await request('POST', name, 'application/json', JSON.stringify(body))) as SentAnswer<Name>;

/** Deletes the copies of dropped files. @throws Refused */
export const removeFiles = (): Promise<unknown> => request('DELETE', 'files', 'application/json', '{}');

/** Sends part of a file that was dropped. @throws Refused */
export const sendPart = async (bytes: ArrayBuffer, given: Readonly<Record<string, string>>): Promise<UploadAnswer> =>
  (await request('PUT', `upload?${new URLSearchParams(given)}`, 'application/octet-stream', bytes)) as UploadAnswer;

/** Sends a table of uids. @throws Refused */
export const sendPeople = async (table: Blob, given: Readonly<Record<string, string>>): Promise<ImportedPeople> =>
  (await request('PUT', `people.csv?${new URLSearchParams(given)}`, 'text/csv', table)) as ImportedPeople;

const request = (method: string, path: string, type: string, body: BodyInit): Promise<unknown> =>
  answerOf(fetch(dataPath(path), { method, headers: { 'content-type': type, 'x-chatferry': 'desk' }, body }));
