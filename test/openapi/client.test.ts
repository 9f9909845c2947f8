import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeClientTypes } from './client/generate.ts';
import { startWorld, type World } from './world.ts';

const run = promisify(execFile);
/** Not imported as other modules are: it has types only when `service.d.ts` was written. */
const program = fileURLToPath(new URL('./client/read-everything.ts', import.meta.url));

interface Program {
  readEverything(baseUrl: string, id: string, secret: string): Promise<Record<string, unknown>>;
}

describe('a client made from the document', () => {
  let world: World;
  let client: Program;

  beforeAll(async () => {
    await writeClientTypes();
    client = (await import(program)) as Program;
    world = await startWorld();
  });
  afterAll(() => world.close());

  it('compiles', async () => {
    const compiler = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
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
    const read = await client.readEverything(world.url, id, secret);
    expect(read).toMatchObject({
      registration: { token: expect.stringMatching(/^opt_/) as string },
      project: { slug: 'northwood' },
      schedules: expect.arrayContaining([expect.objectContaining({ title: 'Restart' })]) as unknown[],
      online: { online: 37 },
      leaderboards: [{ metric: 'PLAYER_KILLS', unit: 'count' }],
    });
    expect(read['servers']).toContainEqual(read['server']);
    const { leaderboards, player, banlists, bans } = read as unknown as {
      leaderboards: { rows: { value: number }[] }[];
      player: { stats: { playerKills: number } };
      banlists: { banCount: number }[];
      bans: unknown[];
    };
    expect(leaderboards[0]?.rows).toHaveLength(5);
    expect(player.stats.playerKills).toBe(leaderboards[0]?.rows[0]?.value);
    expect(bans).toHaveLength(banlists[0]?.banCount ?? -1);
  });

  it('learns from errors what was wrong', async () => {
    const { id } = await world.application('northwood');
    await expect(client.readEverything(world.url, id, 'ops_wrong')).rejects.toThrow(
      /^invalid_credentials: No application/,
    );
  });
});
