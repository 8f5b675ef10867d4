import { useState } from 'preact/hooks';
import { type Data, asList, asObject, dataText } from '../answers/data-parts.ts';
import { Icon } from '../../web/page/icon.tsx';
import { formatSize } from './format.ts';
import { Link, safeHref } from './markdown.tsx';

/** So many are shown in one message. */
const shownMax = 50;

const kinds = {
  image: 'Image',
  video: 'Video',
  audio: 'Audio',
  file: 'File',
} as const;

type Kind = keyof typeof kinds;

const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name);

/** By its MIME type; where it has none, by the type of its message. */
function fileKind(mimeType: string, messageType: string): Kind {
  const family = mimeType === '' ? messageType : mimeType.split('/')[0]!;
  return isKind(family) ? family : 'file';
}

/** The files of a message, each as a card: what they are, and where. */
export function Attachments({ data, type }: { readonly data: Data; readonly type: string }) {
  const files = asList(data.attachments).map(asObject);
  const alone = files.length === 0 && typeof data.url === 'string' ? [{ url: data.url, name: data.name }] : files;
  if (alone.length === 0) return null;
  return (
    <ul class="files">
      {alone.slice(0, shownMax).map((file, index) => (
        <FileCard key={index} file={file} type={type} />
      ))}
      {alone.length > shownMax && <li>and {alone.length - shownMax} more</li>}
    </ul>
  );
}

function FileCard({ file, type }: { readonly file: Data; readonly type: string }) {
  const name = dataText(file.name) || 'file';
  const mime = dataText(file.mimeType);
  const url = dataText(file.url);
  const kind = fileKind(mime, type);
  const details = [mime || dataText(file.extension), formatSize(file.size), hostOf(url)].filter(Boolean).join(' · ');
  return (
    <li class={`file ${kind}`} aria-label={`${kinds[kind]} ${name}`}>
      {kind === 'image' ? <Picture url={url} name={name} /> : <FileIcon name={kind} />}
      <span class="file-text">
        <bdi class="file-name">{safeHref(url) ? <Link href={url}>{name}</Link> : name}</bdi>
        <span class="soft">
          <bdi>{details}</bdi>
          {url !== '' && !safeHref(url) && !isHere(url) && ' · no address of the web'}
        </span>
        {kind !== 'file' && url !== '' && !isHere(url) && (
          <span class="soft">not loaded: nothing leaves this machine</span>
        )}
      </span>
    </li>
  );
}

const FileIcon = ({ name }: { readonly name: Kind | 'missing' }) => (
  <span class="file-icon">
    <Icon name={name} />
  </span>
);

/** A picture that is here already; of any other one, and of one that is broken, its place. */
export function Picture({ url, name }: { readonly url: string; readonly name: string }) {
  const [isBroken, setBroken] = useState(false);
  if (!isHere(url) || isBroken)
    return (
      <span class="picture" role="img" aria-label={isBroken ? `${name}, which is broken` : `${name}, not loaded`}>
        <FileIcon name="image" />
        {isBroken && <span class="soft">cannot be shown</span>}
      </span>
    );
  return <img class="picture" src={url} alt={name} loading="lazy" onError={() => setBroken(true)} />;
}

/** Whether it takes no request to anybody else: the address holds the picture, or leads to who served this page. */
function isHere(url: string): boolean {
  if (/^data:image\/(?:png|jpeg|gif|webp|avif);base64,/.test(url)) return true;
  try {
    return new URL(url).origin === location.origin;
  } catch {
    return false;
  }
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return '';
  }
}

/** Files of the export that the import left out, from the metadata. */
export function MissingFiles({ files }: { readonly files: unknown }) {
  const missing = asList(files).map(asObject);
  if (missing.length === 0) return null;
  return (
    <ul class="files">
      {missing.slice(0, shownMax).map((file, index) => (
        <li key={index} class="file missing" aria-label={`Missing file ${dataText(file.name)}`}>
          <FileIcon name="missing" />
          <span class="file-text">
            <bdi class="file-name">{dataText(file.name)}</bdi>
            <span class="soft">not migrated: {dataText(file.why)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
