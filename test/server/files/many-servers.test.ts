import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LocalFiles } from '../../../src/server/files/local-files.ts';
import { idA, run, temporaryFolder, temporaryStore } from '../ingest/fixture.ts';
import { createSourceWatch } from '../../harness/logs.ts';

test.each([10, 100])('the logs of %i servers are followed with four processes at most', async (count) => {
  const ids = Array.from({ length: count }, (_, index) => `s${index}`);
  const db = await temporaryStore(ids);
  const root = temporaryFolder();
  const logOf = (id: string): string => join(root, id, 'x.ADM');
  for (const id of ids) {
    mkdirSync(join(root, id));
    writeFileSync(logOf(id), run(`12:00:00 | Player "A"(id=${idA}) is connected`));
  }
  const files = new LocalFiles();
  onTestFinished(() => files.close());
  const started = new Set<number>();
  const watch = createSourceWatch(db, {
    files,
    onOutcomes: () => files.processIds.forEach((id) => started.add(id)),
  });
  const sources = { servers: ids.map((id) => ({ id, logs: join(root, id) })), banlists: [] };
  expect(await watch.importChanged(sources)).toHaveLength(count);
  expect(await watch.followOn(sources)).toEqual([]);
  for (const id of ids) appendFileSync(logOf(id), '12:01:00 | #####\n');
  const outcomes = await watch.followOn(sources);
  expect(outcomes.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(outcomes).toHaveLength(count);
  expect(started.size).toBeLessThanOrEqual(4);
});
