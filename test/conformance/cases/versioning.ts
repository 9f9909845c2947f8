import assert from 'node:assert/strict';
import { exchange } from '../exchange.ts';
import { section, type ConformanceCase } from '../case.ts';
import { expectError } from '../expectations.ts';
import { dataOperations } from '../operations.ts';

const { any } = section('spec §Versioning');

export const versioningCases: ConformanceCase[] = [
  any(
    'all operations are under /v1: without it, and under another version, there is nothing',
    async (service) => {
      const { get } = await service.caller();
      for (const { path } of dataOperations.filter(({ idFact }) => idFact !== 'liveServer')) {
        const bare = path(service).slice('/v1'.length);
        for (const other of [bare, `/v2${bare}`, `/V1${bare}`, `/v1.0${bare}`])
          expectError(await get(other), 'not_found');
      }
    },
  ),
  any('the interface description is named Public API v1 and carries version 1.0.0', async (service) => {
    const { status, body } = await exchange(service.url, '/openapi.json');
    assert.equal(status, 200);
    assert.deepEqual([body.info.title, body.info.version], ['Public API v1', '1.0.0']);
  }),
  any(
    'the interface description lists the ten operations and those that this release adds',
    async (service) => {
      const { body } = await exchange(service.url, '/openapi.json');
      const described = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
      const specified = [...dataOperations.map(({ name }) => name), 'POST /v1/auth/register'];
      assert.deepEqual(described.toSorted(), specified.toSorted());
    },
  ),
];
