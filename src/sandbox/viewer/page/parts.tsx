import { type Data, listOf, objectOf, textOf } from '../data-parts.ts';
import { formatBytes } from './format.ts';
import { Link, type NameOf, safeHref } from './markdown.tsx';

/** So many of a kind are shown in one message. */
const shownMax = 50;

const icons: Readonly<Record<string, string>> = { image: '🖼️', video: '🎬', audio: '🎧', text: '📄', application: '📄' };

/** The files of a message, each as a card: what they are, and where. Nothing is loaded. */
export function Attachments({ data }: { readonly data: Data }) {
  const files = listOf(data.attachments).map(objectOf);
  const alone = files.length === 0 && typeof data.url === 'string' ? [{ url: data.url, name: data.name }] : files;
  if (alone.length === 0) return null;
  return (
    <ul class="files">
      {alone.slice(0, shownMax).map((file, index) => (
        <FileCard key={index} file={file} />
      ))}
      {alone.length > shownMax && <li>and {alone.length - shownMax} more</li>}
    </ul>
  );
}

function FileCard({ file }: { readonly file: Data }) {
  const name = textOf(file.name) || 'file';
  const mime = textOf(file.mimeType);
  const url = textOf(file.url);
  const details = [mime || textOf(file.extension), formatBytes(file.size)].filter(Boolean).join(', ');
  return (
    <li class="file">
      <span class="file-icon" aria-hidden="true">
        {icons[mime.split('/')[0]!] ?? '📎'}
      </span>
      <span class="file-text">
        <bdi class="file-name">{safeHref(url) ? <Link href={url}>{name}</Link> : name}</bdi>
        <span class="soft">
          {details}
          {url !== '' && !safeHref(url) && ' · no address of the web'}
        </span>
      </span>
    </li>
  );
}

/** What the export had and import left out, by the metadata. */
export function MissingFiles({ files }: { readonly files: unknown }) {
  const missing = listOf(files).map(objectOf);
  if (missing.length === 0) return null;
  return (
    <ul class="files">
      {missing.slice(0, shownMax).map((file, index) => (
        <li key={index} class="file missing">
          <span class="file-icon" aria-hidden="true">
            ⌀
          </span>
          <span class="file-text">
            <bdi class="file-name">{textOf(file.name)}</bdi>
            <span class="soft">not carried over: {textOf(file.why)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

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
  const keptOnes = listOf(kept).map(objectOf);
  if (given.length + keptOnes.length === 0) return null;
  return (
    <ul class="reactions" aria-label="Reactions">
      {given.slice(0, shownMax).map(({ reaction, count }) => (
        <li key={reaction} class="reaction">
          <bdi>{reaction}</bdi> {count}
        </li>
      ))}
      {keptOnes.slice(0, shownMax).map((one, index) => {
        const by = listOf(one.by).map((uid) => nameOf(textOf(uid)));
        const title = `${by.length > 0 ? `${by.slice(0, 20).join(', ')}. ` : ''}Kept in the metadata: the service does not show it as a reaction`;
        return (
          <li key={`kept ${index}`} class="reaction kept" title={title}>
            <bdi>{textOf(one.emoji)}</bdi> {textOf(one.count)}
          </li>
        );
      })}
    </ul>
  );
}

export const Json = ({ value }: { readonly value: unknown }) => (
  <pre class="json" tabindex={0}>
    {JSON.stringify(value, undefined, 2)}
  </pre>
);

/** A message of a category of one's own. */
export function Custom({ type, data }: { readonly type: string; readonly data: Data }) {
  const value = data.customData ?? data.custodata;
  if (value === undefined) return null;
  const { lat, lon } = objectOf(value);
  return (
    <div class="card">
      <p class="card-title">{lat !== undefined && lon !== undefined ? `📍 ${textOf(lat)}, ${textOf(lon)}` : type}</p>
      <Json value={value} />
    </div>
  );
}
