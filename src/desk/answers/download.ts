/** An answer that the browser saves as a file: it never opens it as a page of ours. */
export class Download {
  /** A fixed name, in ASCII: no text of an export. */
  readonly fileName: string;
  readonly type: 'text/csv' | 'text/html';
  readonly text: string;

  constructor({ fileName, type, text }: Pick<Download, 'fileName' | 'type' | 'text'>) {
    this.fileName = fileName;
    this.type = type;
    this.text = text;
  }
}
