import { anyPart } from '../../io/json/json-pointer.ts';
import { isObject, type JsonObject } from './unwrap.ts';

/*
 * How tools write the collections of a Firestore document, next to its fields:
 *
 *     {"__collections__": {"rooms": {"r1": {"name": "Quay", "__collections__": {"messages": {"m1": {…}}}}}}}    node-firestore-import-export
 *     {"rooms": {"r1": {"name": "Quay", "subCollection": {"rooms/r1/messages": {"m1": {…}}}}}}                  firestore-export-import
 *     {"rooms": {"r1": {"name": "Quay", "subCollection": {"m1": {…}}}}}                                         the same, until 0.3.1
 *
 * github.com/jloosli/node-firestore-import-export, README; github.com/dalenguyen/firestore-backup-restore, src/export.ts (looked at 2026-11).
 */
const collectionsKey = '__collections__';
const subCollectionKey = 'subCollection';

/** A collection in an object of collections. */
interface Collection {
  /** Its key as a part of a pattern: `messages`, or `rooms/*\/messages`. */
  readonly part: string;
  readonly documents: JsonObject;
}

/**
 * The collections that an object holds, by the key of the object itself; undefined if that is none of the keys under which collections are.
 */
export function collectionsIn(object: object, key: string | undefined): readonly Collection[] | undefined {
  const isOfPaths = key === subCollectionKey && holdsPaths(object);
  if (key !== collectionsKey && !isOfPaths) return undefined;
  return Object.entries(object).flatMap(([name, documents]) =>
    isObject(documents) ? [{ part: isOfPaths ? pathPattern(name) : name, documents }] : [],
  );
}

/** Whether the values of an object are documents: one of them holds collections. */
export const areDocuments = (value: object): boolean =>
  isObject(value) &&
  Object.values(value).some(
    (child) => isObject(child) && Object.keys(child).some((key) => holdsCollections(child, key)),
  );

/** Whether a field of a document is where its collections are. */
export function holdsCollections(document: JsonObject, key: string): boolean {
  if (!isCollectionsKey(key)) return false;
  const value = document[key];
  return isObject(value) && Object.values(value).every(isObject);
}

export const isCollectionsKey = (key: string): boolean => key === collectionsKey || key === subCollectionKey;

/** Paths of collections: `rooms/r1/messages`. */
const holdsPaths = (object: object): boolean => {
  const keys = Object.keys(object);
  return keys.length > 0 && keys.every((key) => /^[^/]+(?:\/[^/]+\/[^/]+)+$/.test(key));
};

/** In the path of a collection, every second step is the id of a document. */
const pathPattern = (path: string): string =>
  path
    .split('/')
    .map((step, at) => (at % 2 === 1 ? anyPart : step))
    .join('/');

/**
 * How tools write the list of a collection's documents: `/rooms/*\/messages` as it is, `/__collections__/rooms/*\/__collections__/messages` and
 * `/rooms/*\/subCollection/rooms~1*~1messages`. Other lists than those of collections have one form.
 *
 * @param list Keys, every second one the id of a document.
 */
export function collectionForms(list: readonly string[]): readonly (readonly string[])[] {
  if (list.length % 2 === 0) return [list, list, list];
  const isCollection = (at: number) => at % 2 === 0;
  return [
    list,
    list.flatMap((step, at) => (isCollection(at) ? [collectionsKey, step] : [step])),
    list.flatMap((step, at) =>
      isCollection(at) && at > 0 ? [subCollectionKey, list.slice(0, at + 1).join('/')] : [step],
    ),
  ];
}
