import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileError, type FileAccess } from '../src/file-access.ts';
import { OpenedFile } from '../src/reading/opened-file.ts';
import { readWholeFile } from '../src/reading/whole-file.ts';

/** A folder that lies on this machine, however it is reached. */
export interface FilesUnderTest {
  source: FileAccess;
  /** The folder as this machine sees it. */
  root: string;
  /** The same folder as the requests name it. */
  folder: string;
}

/** What every access keeps, wherever its files lie. */
export function describeFiles(name: string, open: () => Promise<FilesUnderTest>): void {
  describe(`files ${name}`, () => {
    const all = { matching: /^/, stat: 'all' } as const;

    test('are listed by name, with their sizes', async () => {
      const { source, root, folder } = await open();
      writeFileSync(join(root, 'a.ADM'), 'one');
      writeFileSync(join(root, 'b name with spaces [1] {x} ö.ADM'), 'four');
      writeFileSync(join(root, 'c.txt'), '');
      const found = await source.list(folder, { matching: /\.adm$/i, stat: 'all' });
      expect(found.map(({ name, stat }) => `${name}: ${stat?.size}`).toSorted()).toEqual([
        'a.ADM: 3',
        'b name with spaces [1] {x} ö.ADM: 4',
      ]);
      const named = await source.list(folder, { matching: /\.adm$/i, stat: ['a.ADM', 'gone.ADM'] });
      expect(named.find(({ name }) => name === 'a.ADM')?.stat?.size).toBe(3);
      expect(await source.stat(source.path.join(folder, 'a.ADM'))).toMatchObject({ size: 3 });
      expect((await source.list(folder, all)).length).toBe(3);
    });

    test('may have names in any script, in folders that have them too', async () => {
      const { source, root, folder } = await open();
      const names = ['Сервер 1 (тест)', 'журнал от 25 ноября.ADM'] as const;
      mkdirSync(join(root, names[0]));
      writeFileSync(join(root, ...names), 'строка\n');
      const inner = source.path.join(folder, names[0]);
      const [found] = await source.list(inner, { matching: /ADM$/, stat: 'all' });
      expect([found?.name, found?.stat?.size]).toEqual([names[1], 13]);
      const { parts } = await source.read(source.path.join(inner, names[1]), [{ offset: 0, length: 100 }]);
      expect(String(parts[0])).toBe('строка\n');
    });

    test('are read in parts, short where the file ends', async () => {
      const { source, root, folder } = await open();
      writeFileSync(join(root, 'a b ö.ADM'), '0123456789');
      const { stat, parts } = await source.read(source.path.join(folder, 'a b ö.ADM'), [
        { offset: 2, length: 3 },
        { offset: 0, length: 0 },
        { offset: 8, length: 100 },
        { offset: 50, length: 5 },
      ]);
      expect(stat.size).toBe(10);
      expect(parts.map(String)).toEqual(['234', '', '89', '']);
    });

    test('are read byte for byte, whatever they hold and however long they are', async () => {
      const { source, root, folder } = await open();
      const bytes = Buffer.from(Array.from({ length: 700_001 }, (_, i) => (i * 7 + (i >> 8)) & 0xff));
      // What a transfer as text would change.
      bytes.write('\r\n\n\r\0\u001a\r\r\n', 99, 'latin1');
      writeFileSync(join(root, 'data.bin'), bytes);
      const { bytes: read } = await readWholeFile(source, source.path.join(folder, 'data.bin'), 1_000_000);
      expect(read.equals(bytes)).toBe(true);
      const { parts } = await source.read(source.path.join(folder, 'data.bin'), [
        { offset: 650_000, length: 50_001 },
      ]);
      expect(parts[0]?.equals(bytes.subarray(650_000))).toBe(true);
    });

    test('are read on from where they were left as they grow', async () => {
      const { source, root, folder } = await open();
      const path = source.path.join(folder, 'log.ADM');
      writeFileSync(join(root, 'log.ADM'), 'first\n');
      expect(String((await source.read(path, [{ offset: 0, length: 100 }])).parts[0])).toBe('first\n');
      appendFileSync(join(root, 'log.ADM'), 'second\n');
      const { stat, parts } = await source.read(path, [{ offset: 6, length: 100 }]);
      expect([stat.size, String(parts[0])]).toEqual([13, 'second\n']);
    });

    test('show that they were cut, replaced or renamed', async () => {
      const { source, root, folder } = await open();
      const path = source.path.join(folder, 'log.ADM');
      writeFileSync(join(root, 'log.ADM'), 'first run\nline\n');
      expect((await source.stat(path)).size).toBe(15);
      truncateSync(join(root, 'log.ADM'), 6);
      expect((await source.stat(path)).size).toBe(6);
      expect(String((await source.read(path, [{ offset: 0, length: 100 }])).parts[0])).toBe('first ');
      renameSync(join(root, 'log.ADM'), join(root, 'log_2026.ADM'));
      await expect(source.read(path, [{ offset: 0, length: 1 }])).rejects.toMatchObject({ code: 'ENOENT' });
      writeFileSync(join(root, 'log.ADM'), 'second run\n');
      expect(String((await source.read(path, [{ offset: 0, length: 100 }])).parts[0])).toBe('second run\n');
      expect((await source.list(folder, all)).map(({ name }) => name).toSorted()).toEqual([
        'log.ADM',
        'log_2026.ADM',
      ]);
    });

    test('are not mixed when another one takes the place of a file that is being read', async () => {
      const { source, root, folder } = await open();
      writeFileSync(join(root, 'log.ADM'), `first run\n${'1'.repeat(300_000)}`);
      const file = await OpenedFile.open(source, source.path.join(folder, 'log.ADM'), [
        { offset: 0, length: 1024 },
      ]);
      writeFileSync(join(root, 'new'), `second run\n${'2'.repeat(400_000)}`);
      renameSync(join(root, 'new'), join(root, 'log.ADM'));
      await expect(file.read(Buffer.alloc(10), 0, 10, 200_000)).rejects.toMatchObject({ code: 'ECHANGED' });
    });

    test('that are not there, and folders in their place, are refused as what they are', async () => {
      const { source, root, folder } = await open();
      mkdirSync(join(root, 'folder.ADM'));
      writeFileSync(join(root, 'file.ADM'), 'x');
      const at = (name: string): string => source.path.join(folder, name);
      await expect(source.stat(at('gone.ADM'))).rejects.toMatchObject({ code: 'ENOENT' });
      await expect(source.stat(at('gone.ADM'))).rejects.toBeInstanceOf(FileError);
      await expect(source.read(at('gone.ADM'), [{ offset: 0, length: 1 }])).rejects.toMatchObject({
        code: 'ENOENT',
      });
      await expect(source.list(at('gone'), all)).rejects.toMatchObject({ code: 'ENOENT' });
      await expect(source.stat(at('folder.ADM'))).rejects.toMatchObject({ code: 'EISDIR' });
      await expect(source.read(at('folder.ADM'), [{ offset: 0, length: 1 }])).rejects.toMatchObject({
        code: 'EISDIR',
      });
      await expect(source.list(at('file.ADM'), all)).rejects.toMatchObject({ code: 'ENOTDIR' });
      expect(await source.list(at('folder.ADM'), all)).toEqual([]);
    });

    test('that vanish between two requests harm no other', async () => {
      const { source, root, folder } = await open();
      writeFileSync(join(root, 'a.ADM'), 'a');
      writeFileSync(join(root, 'b.ADM'), 'b');
      await source.list(folder, all);
      rmSync(join(root, 'a.ADM'));
      const reads = await Promise.allSettled(
        ['a.ADM', 'b.ADM', 'a.ADM', 'b.ADM'].map(
          async (name) => await source.read(source.path.join(folder, name), [{ offset: 0, length: 1 }]),
        ),
      );
      expect(reads.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
    });
  });
}
