/** As Windows' Notepad and PowerShell write it. */
export type Utf16 = 'utf-16le' | 'utf-16be';

/** By the byte order mark with which a file begins; null: it has none of these. */
export function utf16ByMark(bytes: Buffer): Utf16 | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

/** The same text as UTF-8; what is no text becomes U+FFFD. */
export function decodeUtf16(bytes: Buffer, encoding: Utf16): Buffer {
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const text = encoding === 'utf-16le' ? even : Buffer.from(even).swap16();
  return Buffer.from(text.toString('utf16le'));
}
