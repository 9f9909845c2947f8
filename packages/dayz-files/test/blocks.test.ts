import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type ByteSource, linesOf, maxLineBytes, readBlocks } from '../src/index.ts';

async function read(content: string | Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'dayz-files-'));
  await writeFile(join(folder, 'x'), content);
  const file = await open(join(folder, 'x'));
  try {
    const lines: string[] = [];
    const bytes: Buffer[] = [];
    let largest = 0;
    for await (const block of readBlocks(file)) {
      bytes.push(Buffer.from(block.bytes));
      largest = Math.max(largest, block.bytes.length);
      if (block.kind !== 'part-of-line') lines.push(...linesOf(block.bytes));
    }
    return { lines, bytes: Buffer.concat(bytes), largest };
  } finally {
    await file.close();
    await rm(folder, { recursive: true });
  }
}

test('lines of every length come out whole and in order, wherever a read ends', async () => {
  const lines = Array.from({ length: 3000 }, (_, i) => `${i} ${'ä'.repeat((i * 7919) % 700)}`);
  for (const end of ['', '\n']) {
    const text = lines.join('\n') + end;
    const result = await read(text);
    expect(result.lines).toEqual(lines);
    expect(result.bytes.equals(Buffer.from(text))).toBe(true);
  }
});

test('lines that are too long are left out, their bytes are not, and memory stays bounded', async () => {
  const long = (i: number) => 'x'.repeat(maxLineBytes * 5 + i * 100_000);
  const text = ['a', long(0), 'b', long(1), long(2), 'c', long(30), 'd', long(3)].join('\n');
  const { lines, bytes, largest } = await read(text);
  expect(lines.filter((line) => line.length < 10)).toEqual(['a', 'b', 'c', 'd']);
  expect(lines.filter((line) => line.length >= maxLineBytes * 5)).toEqual([]);
  expect(bytes.equals(Buffer.from(text))).toBe(true);
  expect(largest).toBeLessThanOrEqual(6 * maxLineBytes);
});

test.each(['utf-16le', 'utf-16be'])(
  '%s is read by whole characters, wherever a read or a long line ends',
  async (encoding) => {
    // The last byte of one character and the first of the next one look like a line feed.
    const lines = Array.from({ length: 4000 }, (_, i) => `${i} ${'\u0A05\u0100'.repeat((i * 7919) % 70)}`);
    const text = Buffer.from(
      `\uFEFF${[...lines, 'x'.repeat(maxLineBytes * 7), 'end'].join('\n')}`,
      'utf16le',
    );
    const result = await read(encoding === 'utf-16le' ? text : text.swap16());
    expect(result.lines.filter((line) => !/^x+$/.test(line))).toEqual([...lines, 'end']);
    expect(result.lines.filter((line) => line.length >= maxLineBytes)).toEqual([]);
    expect(result.bytes.toString()).toBe([...lines, 'x'.repeat(maxLineBytes * 7), 'end'].join('\n'));
  },
);

test('a byte order mark, an empty file and lines of nothing', async () => {
  expect((await read('\uFEFFa\r\n\nb\0c')).lines).toEqual(['a', '', 'bc']);
  expect((await read('')).lines).toEqual([]);
  expect((await read('\n')).lines).toEqual(['']);
});

test('bytes that are not UTF-8 are read as CP1251, line by line', async () => {
  const bytes = Buffer.concat([
    Buffer.from('Вася\n'),
    Buffer.from([0xc2, 0xe0, 0xf1, 0xff, 0x0a]),
    Buffer.from('ok'),
  ]);
  expect((await read(bytes)).lines).toEqual(['Вася', 'Вася', 'ok']);
});

test('a name that was cut inside of a character stays readable', async () => {
  const line = (cut: number) => [
    Buffer.from('12:00 "Железный Ёж').subarray(0, cut),
    Buffer.from('" is on\n'),
  ];
  const bytes = Buffer.concat([...line(22), ...line(25), Buffer.from([0xc2, 0xe0, 0xf1, 0xff])]);
  const names = ['Железны', 'Железный '];
  expect((await read(bytes)).lines).toEqual([...names.map((name) => `12:00 "${name}" is on`), 'Вася']);
});

test('line ends that a transfer as text has doubled are line ends', async () => {
  expect((await read('a\r\r\n\r\r\nb\rc\r\n')).lines).toEqual(['a', '', 'b\rc']);
});

/** A stream: its bytes come once and in order, as many at a time as it likes. */
function stream(content: Buffer, atOnce: number): ByteSource {
  let sent = 0;
  return {
    async read(buffer, offset, length) {
      const bytesRead = content.copy(buffer, offset, sent, sent + Math.min(length, atOnce));
      sent += bytesRead;
      return { bytesRead };
    },
  };
}

test.each([
  ['no mark', Buffer.from('a\nбв\nc')],
  ['the mark of UTF-8', Buffer.from('\uFEFFa\nбв\nc')],
  ['the mark of UTF-16LE', Buffer.from('\uFEFFa\nбв\nc', 'utf16le')],
  ['the mark of UTF-16BE', Buffer.from('\uFEFFa\nбв\nc', 'utf16le').swap16()],
])('a stream with %s is read in order, however few bytes come at once', async (_, content) => {
  for (const atOnce of [1, 2, 3, 5, content.length]) {
    const lines: string[] = [];
    const held: string[] = [];
    for await (const block of readBlocks(stream(content, atOnce))) {
      lines.push(...linesOf(block.bytes));
      held.push(block.kind);
    }
    expect(lines).toEqual(['a', 'бв', 'c']);
    expect(held.at(-1)).toBe('unfinished-line');
    expect(held.slice(0, -1)).not.toContain('unfinished-line');
  }
});

test('a read that fails while a block is processed fails after that, and is never left unhandled', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const start = Buffer.from('a\nb\n');
  const lost: ByteSource = {
    async read(buffer, offset, length, position) {
      if (position > 0) throw new Error('the link was lost');
      return { bytesRead: start.copy(buffer, offset, 0, length) };
    },
  };
  const lines: string[] = [];
  const reading = async (): Promise<void> => {
    for await (const block of readBlocks(lost)) {
      lines.push(...linesOf(block.bytes));
      await sleep(20);
    }
  };
  await expect(reading()).rejects.toThrow('the link was lost');
  expect(lines).toEqual(['a', 'b']);
  expect(unhandled).toEqual([]);
});
