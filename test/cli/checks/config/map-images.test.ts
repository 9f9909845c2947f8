import { createCanvas } from '@napi-rs/canvas';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkMapImages } from '../../../../src/cli/checks/config/map-images.ts';
import { configSchema } from '../../../../src/config/schema.ts';

async function found(keys: object, killPositions = true): Promise<string[]> {
  const server = { id: 's', name: 'S', host: '127.0.0.1', port: 2302, ...keys };
  const config = configSchema.parse({
    projects: [{ slug: 'p', name: 'P', killPositions, servers: [server] }],
  });
  return (await checkMapImages(config)).map(({ status, key, found: says }) => `${status} ${key}: ${says}`);
}

test('says what is wrong with the picture of a map', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-maps-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (name: string, bytes: Buffer): string => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const square = file('map.png', await createCanvas(300, 300).encode('png'));
  const wide = file('wide.jpg', await createCanvas(300, 200).encode('jpeg'));
  expect(await found({})).toEqual([]);
  expect(await found({ mapImage: square })).toEqual(['good s.mapImage: a picture for heat maps']);
  expect(await found({ mapImage: square }, false)).toContain(
    'warning s.mapImage: is never shown: the project does not keep where players die',
  );
  expect(await found({ mapImage: wide })).toEqual([
    'wrong s.mapImage: cannot be used: it has 300 × 200 pixels, and has to be square: the whole map, north up',
  ]);
  const others = [
    [file('map.txt', Buffer.from('a map')), /it is no PNG and no JPEG/],
    [join(folder, 'none.png'), /no such file/],
    [folder, /it is no file/],
    ['/dev/zero', /it is no file/],
  ] as const;
  for (const [mapImage, says] of others) expect((await found({ mapImage }))[0]).toMatch(says);
});

test('warns of a map whose size it does not know', async () => {
  expect(await found({ map: 'enoch' })).toEqual([]);
  expect((await found({ map: 'Livonia' }))[0]).toContain('the size of this map is not known');
});
