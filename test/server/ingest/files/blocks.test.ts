import { open } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { maxLineBytes, readBlocks } from '../../../../src/server/ingest/files/blocks.ts';
import { linesOf } from '../../../../src/server/ingest/files/text.ts';
import { temporaryFiles } from '../fixture.ts';

async function read(content: string | Buffer) {
  const [path] = temporaryFiles({ x: content }) as [string];
  const file = await open(path);
  try {
    const lines: string[] = [];
    const bytes: Buffer[] = [];
    let largest = 0;
    for await (const block of readBlocks(file)) {
      bytes.push(Buffer.from(block.bytes));
      largest = Math.max(largest, block.bytes.length);
      if (block.lines) lines.push(...linesOf(block.bytes));
    }
    return { lines, bytes: Buffer.concat(bytes), largest };
  } finally {
    await file.close();
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
