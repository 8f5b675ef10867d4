import type { LostPart } from './lost-parts.ts';

/** Counts of a message's parts. Summed up in reports; the losses table is made from it. */
export interface Facts extends Readonly<Partial<Record<LostPart, number>>> {
  readonly attachments?: number;
  readonly filesWithoutAddress?: number;
  readonly reactions?: number;
  readonly replies?: number;
  readonly broadcasts?: number;
  readonly edited?: number;
  readonly deleted?: number;
  readonly pinned?: number;
  readonly mentions?: number;
  readonly quotes?: number;
  readonly bot?: number;
  readonly system?: number;
  readonly calls?: number;
  readonly internal?: number;
  readonly restricted?: number;
  /** Number of reactions whose emoji is a picture of the platform. */
  readonly customEmoji?: number;
  /** 1 if the platform has facts that no field holds. */
  readonly custom?: number;
  /** 1 where its time depends on a zone that had to be assumed. */
  readonly zoneAssumed?: number;
  /** Changes by the mapping: texts cut, texts sent in several messages, replies that quote their root, or could not. */
  readonly truncated?: number;
  readonly split?: number;
  readonly rootQuotes?: number;
  readonly rootsMissing?: number;
  /** 1 if the text names the files, because the message has no other content and none can be attached. */
  readonly onlyFiles?: number;
  /** 1 where parts of the metadata gave way to the destination's size limit. */
  readonly trimmed?: number;
}

/** Known properties of a picture that was copied. */
export interface PictureFacts {
  /** In pixels. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Address of a smaller picture. */
  readonly thumbnail?: string | undefined;
}
