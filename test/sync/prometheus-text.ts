// @ts-expect-error It comes without types.
import parseText from 'parse-prometheus-text-format';

/** A family in the form of prom2json: every number is text, as it was written. */
interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'COUNTER' | 'GAUGE' | 'HISTOGRAM' | 'SUMMARY' | 'UNTYPED';
  readonly metrics: readonly Sample[];
}

interface Sample {
  readonly value?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly buckets?: Readonly<Record<string, string>>;
}

/** Parses the text that Prometheus would fetch, with a third-party parser. */
export function parseMetrics(text: string): readonly Family[] {
  return parseText(text);
}

/** The value with just these labels, as a number. */
export function sampleOf(
  text: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const isWanted = (sample: Sample) => JSON.stringify(sorted(sample.labels)) === JSON.stringify(sorted(labels));
  const family = parseMetrics(text).find((one) => one.name === name);
  const value = family?.metrics.find(isWanted)?.value;
  return value === undefined ? undefined : Number(value);
}

const sorted = (labels: Readonly<Record<string, string>> = {}) => Object.entries(labels).sort();
