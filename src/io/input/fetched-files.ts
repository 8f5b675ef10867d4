/** Where `chatferry fetch` keeps files of messages, in the folder that it writes. @param hash SHA-256 of the file's address, or of its id. */
export const fetchedFilePath = (hash: string, name: string): string =>
  `files/${hash.slice(0, 2)}/${hash.slice(0, 40)}-${name}`;

/** The part of a hash in such a path; undefined for any other path. */
export const hashInPath = (path: string): string | undefined =>
  /(?:^|\/)files\/[0-9a-f]{2}\/([0-9a-f]{40})-[^/]+$/.exec(path)?.[1];

export const hashPart = (hash: string): string => hash.slice(0, 40);
