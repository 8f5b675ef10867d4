import { Fragment } from 'preact';
import { type Data, asList, asObject, dataText } from '../answers/data-parts.ts';
import { Icon } from '../../web/page/icon.tsx';
import type { NameOf } from './markdown.tsx';

/** So many of a kind are shown in one message. */
const shownMax = 50;

/** Reactions of the service, and those that only the metadata keeps: users of the service do not see these. */
export function Reactions({
  given,
  kept,
  nameOf,
}: {
  readonly given: readonly { readonly reaction: string; readonly count: number }[];
  readonly kept: unknown;
  readonly nameOf: NameOf;
}) {
  const keptOnes = asList(kept).map(asObject);
  if (given.length + keptOnes.length === 0) return null;
  return (
    <ul class="reactions" aria-label="Reactions">
      {given.slice(0, shownMax).map(({ reaction, count }) => (
        <li key={reaction} class="reaction">
          <bdi>{reaction}</bdi> {count}
        </li>
      ))}
      {keptOnes.slice(0, shownMax).map((one, index) => {
        const by = asList(one.by).map((uid) => nameOf(dataText(uid)));
        const title = `${by.length > 0 ? `${by.slice(0, 20).join(', ')}. ` : ''}Kept in the metadata: the service does not show it as a reaction`;
        return (
          <li key={`kept ${index}`} class="reaction kept" title={title}>
            <bdi>{dataText(one.emoji)}</bdi> {dataText(one.count)}
          </li>
        );
      })}
      {keptOnes.length > 0 && <li class="soft">in metadata only</li>}
    </ul>
  );
}

/** What no page can know: names with their values where it is as simple as that, else JSON. */
export function Facts({ value }: { readonly value: unknown }) {
  const facts = Object.entries(asObject(value));
  const isSimple = facts.length > 0 && facts.length <= shownMax && facts.every(([, one]) => asList(one).every(isPlain));
  if (!isSimple || !facts.every(([, one]) => isPlain(one) || Array.isArray(one)))
    return (
      <pre class="json" tabindex={0}>
        {JSON.stringify(value, undefined, 2)}
      </pre>
    );
  return (
    <dl class="facts">
      {facts.map(([name, one]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{Array.isArray(one) ? one.map(dataText).join(', ') : dataText(one)}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** A message of a category of one's own. */
export function Custom({ type, data }: { readonly type: string; readonly data: Data }) {
  const value = data.customData ?? data.custodata;
  if (value === undefined) return null;
  const { lat, lon, ...others } = asObject(value);
  const isPlace = lat !== undefined && lon !== undefined;
  return (
    <div class="card">
      <p class="card-title">
        {isPlace && <Icon name="place" />} {isPlace ? `${dataText(lat)}, ${dataText(lon)}` : type}
      </p>
      {!isPlace && <Facts value={value} />}
      {isPlace && Object.keys(others).length > 0 && <Facts value={others} />}
    </div>
  );
}
