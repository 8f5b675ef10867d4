/** Takes apart what anybody may have put into a message. */

export type Data = Readonly<Record<string, unknown>>;

export const asObject = (value: unknown): Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : {};

/** Facts about a message that the service has no field for. */
export const importedMetadata = ({ metadata }: Data): Data => asObject(asObject(metadata).chatferry);

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const dataText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** Names, or else ids, of who acted on whom, and where. */
export interface Actors {
  readonly by?: string;
  readonly on?: string;
  readonly for?: string;
}

/** @param entities those of a call or an action: `by`, `on` and `for`. */
export function entityNames(entities: Data): Actors {
  const named = (['by', 'on', 'for'] as const).flatMap((role) => {
    const { name, uid, guid } = asObject(asObject(entities[role]).entity);
    const found = dataText(name ?? uid ?? guid);
    return found === '' ? [] : [[role, found] as const];
  });
  return Object.fromEntries(named);
}
