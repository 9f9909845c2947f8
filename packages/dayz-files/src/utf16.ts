/** As written by Windows' Notepad and PowerShell. */
type Utf16 = 'utf-16le' | 'utf-16be';

const marks = [
  { encoding: 'utf-8', mark: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: 'utf-16le', mark: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf-16be', mark: Buffer.from([0xfe, 0xff]) },
] as const;

export const longestMarkBytes = 3;

/** The byte order mark at the start of a file; null: none; `incomplete`: the file ends inside of what may be one. */
export function byteOrderMarkOf(
  head: Buffer,
): { encoding: 'utf-8' | Utf16; bytes: number } | 'incomplete' | null {
  for (const { encoding, mark } of marks) {
    if (head.length > 0 && mark.subarray(0, head.length).equals(head.subarray(0, mark.length))) {
      return head.length < mark.length ? 'incomplete' : { encoding, bytes: mark.length };
    }
  }
  return null;
}

/** The same text as UTF-8; invalid text becomes U+FFFD. */
export function decodeUtf16(bytes: Buffer, encoding: Utf16): Buffer {
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const text = encoding === 'utf-16le' ? even : Buffer.from(even).swap16();
  return Buffer.from(text.toString('utf16le'));
}

/** The content of a small file after its byte order mark; where that is one of UTF-16, as UTF-8. */
export function withoutMark(file: Buffer): Buffer {
  const mark = byteOrderMarkOf(file);
  if (mark === null || mark === 'incomplete') return file;
  const content = file.subarray(mark.bytes);
  return mark.encoding === 'utf-8' ? content : decodeUtf16(content, mark.encoding);
}
