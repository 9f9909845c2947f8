import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { NitradoFiles } from '../../src/nitrado/nitrado-files.ts';
import { RequestBudget } from '../../src/nitrado/request-budget.ts';
import { systemClock } from '../../src/clock.ts';
import { startNitrado } from '../servers/nitrado.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { describeFiles, type FilesUnderTest } from '../files-contract.ts';

async function open(gamePath: string, { hasTimes = true, folder = 'config' } = {}): Promise<FilesUnderTest> {
  const game = temporaryFolder();
  const root = join(game, 'config');
  mkdirSync(root);
  const nitrado = await startNitrado({ root: game, gamePath });
  onTestFinished(() => nitrado[Symbol.asyncDispose]());
  nitrado.hasTimes = hasTimes;
  const { serviceId, token, url } = nitrado;
  const budget = new RequestBudget(systemClock);
  const files = new NitradoFiles({
    serviceId,
    token,
    baseUrl: url,
    budget,
    clock: systemClock,
    listingMs: 0,
  });
  onTestFinished(() => files.close());
  return { source: files.of('a'), root, folder };
}

describeFiles('of an Xbox server at Nitrado', () => open('/games/ni4711_1/noftp/dayzxb/'));

describeFiles('of a PlayStation server at Nitrado, whose listings have no times', () =>
  open('/games/ni4711_1/noftp/dayzps/', {
    hasTimes: false,
    folder: '/games/ni4711_1/noftp/dayzps/config',
  }),
);
