import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateClientTypes } from './client/generate.ts';
import { readEverything } from './client/read-everything.ts';
import { startWorld, type World } from './world.ts';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('./client/', import.meta.url));

describe('a client made from the document', () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  it('has the types that openapi-typescript makes now; `npm run openapi` writes them', async () => {
    expect(readFileSync(join(folder, 'service.d.ts'), 'utf8')).toBe(await generateClientTypes());
  });

  it('compiles', async () => {
    const compiler = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
    const program = join(folder, 'read-everything.ts');
    const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    const modules = [
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--allowImportingTsExtensions',
      '--skipLibCheck',
    ];
    const compile = [join(compiler, 'bin', 'tsc'), '--ignoreConfig', ...options, ...modules, program];
    await expect(run(process.execPath, compile)).resolves.toMatchObject({ stdout: '' });
  });

  it('reads every operation of the running service', async () => {
    const { id, secret } = await world.application('northwood');
    const read = await readEverything(world.url, id, secret);
    expect(read.registration.token).toMatch(/^opt_/);
    expect(read.project.slug).toBe('northwood');
    expect(read.servers).toContainEqual(read.server);
    expect(read.schedules.map(({ title }) => title)).toContain('Restart');
    expect(read.online.online).toBe(37);
    expect(read.leaderboards).toMatchObject([{ metric: 'PLAYER_KILLS', unit: 'count' }]);
    expect(read.leaderboards[0]?.rows).toHaveLength(5);
    expect(read.player.stats.playerKills).toBe(read.leaderboards[0]?.rows[0]?.value);
    expect(read.bans).toHaveLength(read.banlists[0]?.banCount ?? -1);
  });

  it('learns from errors what was wrong', async () => {
    const { id } = await world.application('northwood');
    await expect(readEverything(world.url, id, 'ops_wrong')).rejects.toThrow(
      /^invalid_credentials: No application/,
    );
  });
});
