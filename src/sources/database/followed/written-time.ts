/** A time as a column of a database holds it. */
export interface WrittenTime {
  /** Unix milliseconds, cut to the second if it is text. Text without a zone counts as UTC. */
  readonly ms: number;
  /** Whether `ms` is certain: Unix times and texts with a zone. */
  readonly hasZone: boolean;
  /** Another instant in the same form, never later than `ms` says. */
  write(ms: number): string;
}

/** Whole seconds, ms, µs or ns since 1970, by the digits that such numbers have in our days. */
const unixTime = /^\d{10}(?:\d{3}){0,3}$/;
const civilTime = /^(\d{4}-\d\d-\d\d)(?:([ T])(\d\d:\d\d:\d\d)(?:\.\d+)?)?(Z|[+-]00(?::?00)?)?$/;

/** Nothing if the value is no time of our days: `infinity`, a version number. */
export function writtenTime(value: string): WrittenTime | undefined {
  if (unixTime.test(value)) return readUnixTime(value);
  const [, day, between = '', clock, zone = ''] = civilTime.exec(value) ?? [];
  const ms = Date.parse(`${day}T${clock ?? '00:00:00'}Z`);
  if (Number.isNaN(ms)) return undefined;
  return {
    ms,
    hasZone: zone !== '',
    write(at) {
      const text = new Date(at).toISOString();
      const time = clock === undefined ? '' : `${between}${text.slice(11, 19)}`;
      return `${text.slice(0, 10)}${time}${zone}`;
    },
  };
}

function readUnixTime(value: string): WrittenTime {
  const zeros = Math.max(0, value.length - 13);
  const isSeconds = value.length < 13;
  return {
    ms: isSeconds ? Number(value) * 1000 : Number(value.slice(0, 13)),
    hasZone: true,
    write: (at) => (isSeconds ? String(Math.floor(at / 1000)) : `${Math.floor(at)}${'0'.repeat(zeros)}`),
  };
}
