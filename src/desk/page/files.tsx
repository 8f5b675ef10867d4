import { countOf, formatCount } from '../../viewer/page/door.tsx';
import type { Desk } from './desk.ts';
import { Item } from './elements.tsx';
import type { Report } from './report-parts.tsx';
import { RunButton } from './run-button.tsx';

/** Whether the files of messages are copied to where they stay. */
export function Files({ desk, report: { media, contents } }: { readonly desk: Desk; readonly report: Report }) {
  const count = contents.find(({ name }) => name === 'files')?.planned ?? 0;
  if (media === undefined) {
    if (count === 0) return null;
    return (
      <Item level="warning" title={`${countOf(count, 'file')} are not copied`}>
        <span class="soft">They keep the addresses that the export has for them.</span>
      </Item>
    );
  }
  const { files, copied, shared, missing, refused, left } = media;
  if (left.files === 0)
    return (
      <Item
        level={missing + refused === 0 ? 'ok' : 'warning'}
        title={`${formatCount(copied + shared)} of ${countOf(files, 'file')} are copied`}
      >
        {missing + refused > 0 && <span class="soft">{formatCount(missing + refused)} could not be copied</span>}
      </Item>
    );
  return (
    <Item level="warning" title={`${countOf(left.files, 'file')} are still to be copied`}>
      <RunButton desk={desk} run={{ kind: 'media' }} label="Copy them now" />
    </Item>
  );
}
