/*
 * The table of messages keeps payloads of texts without the beginning that all texts share, and without our key, which is the muid of the
 * row: 103 bytes less for a text alone, 75 with a thread, mentions and the like. A packed payload is still JSON, so `->>` finds what is in
 * `data`. A line feed or tabs mark what is missing: functions of SQL that write JSON would drop them, so they take `wholePayload`.
 */
const head = '{"category":"message","type":"text",';
const metadata = ',"metadata":{"chatferry":{';
const key = '"v":1,"key":"';
const end = '"}}}}';

/** @param payload JSON without white space between its parts. */
export function packPayload(payload: string | null, muid: string | null): string | null {
  if (!payload?.startsWith(head) || muid === null) return payload;
  const at = payload.indexOf(metadata + key);
  const keyAt = at + metadata.length;
  if (at < 0 || !payload.startsWith(muid, keyAt + key.length)) return payload;
  const rest = payload.slice(keyAt + key.length + muid.length);
  if (rest === end) return `{\n${payload.slice(head.length, at)}}}`;
  return rest.startsWith('",') ? `{\t${payload.slice(head.length, keyAt)}\t${rest.slice(2)}` : payload;
}

/** SQL: the payload of a message as it is sent. */
export const wholePayload = (row: string): string => `CASE substr(${row}.payload, 2, 1)
  WHEN char(10) THEN '${head}' || substr(${row}.payload, 3, length(${row}.payload) - 4) || '${metadata}${key}' || ${row}.muid || '${end}'
  WHEN char(9) THEN '${head}' || replace(substr(${row}.payload, 3), char(9), '${key}' || ${row}.muid || '",')
  ELSE ${row}.payload END`;
