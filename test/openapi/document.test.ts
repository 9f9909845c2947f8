import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { errorBody, errorCodes } from '../../src/api/errors.ts';
import { errorsOf, operationIds, operations, type Operation } from '../../src/api/operations.ts';
import { nextOccurrences } from '../../src/embeds/schedule-times.ts';
import { createOpenApiDocument } from '../../src/server/http/documentation/openapi/document.ts';
import { schedule } from '../embeds/contract-data.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Described {
  operationId: string;
  description: string;
  parameters: { name?: string; $ref?: string; schema?: Record<string, unknown> }[];
  responses: Record<string, { content?: { 'application/json': Media } }>;
  security?: unknown;
  'x-scope'?: string;
  'x-minimum-plan'?: string;
}

interface Media {
  schema: { allOf?: [unknown, { properties: { error: { enum: string[] } } }] };
  example?: unknown;
  examples?: Record<string, { value?: unknown; $ref?: string }>;
}

interface Document {
  info: { title: string; version: string };
  paths: Record<string, Record<string, Described>>;
  security: unknown;
  components: {
    securitySchemes: Record<string, unknown>;
    examples: Record<string, { value: unknown }>;
    schemas: Record<string, unknown>;
  };
}

interface ScheduleSchema {
  properties: { timeOfDay: { description: string } };
}

const document = createOpenApiDocument() as unknown as Document;

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describedAs(id: (typeof operationIds)[number]): Described {
  const { path, method } = operations[id];
  return document.paths[path]?.[method.toLowerCase()] as Described;
}

describe('the OpenAPI document', () => {
  it('is the one in docs/; `npm run openapi` writes it', () => {
    expect(JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8'))).toEqual(document);
  });

  it('is Public API v1, version 1.0.0, with the ten operations of the table and no other', () => {
    expect(document.info).toMatchObject({ title: 'Public API v1', version: '1.0.0' });
    const listed = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(listed.map(({ operationId }) => operationId)).toEqual(operationIds);
  });

  it.each(operationIds)('says of %s which scope, plan and User-Agent it needs', (id) => {
    const { scope, plan }: Operation = operations[id];
    const described = describedAs(id);
    expect(described['x-scope']).toBe(scope ?? undefined);
    expect(described['x-minimum-plan']).toBe(plan ?? undefined);
    if (scope !== null) expect(described.description).toContain(`\`${scope}\` and the plan ${plan}`);
    // Not a parameter of each call: a generated client is told once.
    expect(JSON.stringify(described.parameters)).not.toContain('User');
    const { applicationId } = document.components.securitySchemes;
    expect(applicationId).toMatchObject({ type: 'apiKey', in: 'header', name: 'User-Agent' });
    const needed = described.security ?? document.security;
    expect(needed).toEqual([{ applicationId: [], ...(scope === null ? {} : { bearerToken: [] }) }]);
  });

  it.each(operationIds)('says of %s every error it can answer, each with an example of that code', (id) => {
    const { responses } = describedAs(id);
    for (const code of errorsOf(id)) {
      const media = responses[errorCodes[code]]?.content?.['application/json'];
      expect(media?.schema.allOf?.[1].properties.error.enum, code).toContain(code);
      const { value, $ref } = media?.examples?.[code] ?? {};
      const example = errorBody.parse(
        value ?? document.components.examples[$ref?.split('/').at(-1) ?? '']?.value,
      );
      expect(example.error).toBe(code);
    }
  });

  it.each(operationIds)('shows an answer of %s that the service can give', (id) => {
    const example = describedAs(id).responses[200]?.content?.['application/json'].example;
    expect(operations[id].response.safeParse(example)).toMatchObject({ success: true, data: example });
  });

  it.each(['listServers', 'listSchedules', 'listLeaderboards', 'listBanlists', 'listBans'] as const)(
    'says in which order the answer of %s lists them',
    (id) => {
      expect(describedAs(id).description).toMatch(/in the order of|newest first/);
    },
  );

  it('names the starts of an interval that does not divide the day as Outpost counts them', () => {
    const { timeOfDay } = (document.components.schemas as unknown as { Schedule: ScheduleSchema }).Schedule
      .properties;
    const named = /\(300 from 02:00: ([^)]+)\)/.exec(timeOfDay.description)?.[1]?.match(/\d\d:\d\d/g) ?? [];
    const every = schedule({
      recurrence: 'INTERVAL',
      intervalMinutes: 300,
      timeOfDay: '02:00',
      timezone: 'UTC',
    });
    const starts = nextOccurrences(every, Date.parse('2026-11-26T00:00:00Z'), 6);
    expect(named).toEqual(starts.map((time) => new Date(time).toISOString().slice(11, 16)));
  });

  it('lets later releases add fields: no generated client refuses an answer with one more', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema({ ...document, $id: 'openapi' });
    for (const id of operationIds) {
      const media = describedAs(id).responses[200]?.content?.['application/json'] as Media;
      const { $ref } = media.schema as { $ref: string };
      const later = JSON.parse(JSON.stringify(media.example), (_, value: unknown) =>
        isObject(value) ? { ...value, addedLater: 1 } : value,
      ) as unknown;
      expect(ajv.validate(`openapi${$ref}`, later), `${id}: ${ajv.errorsText()}`).toBe(true);
    }
  });

  it('shows no secret, token or application id of anybody', () => {
    const found = JSON.stringify(document).match(/(app|ops|opt)_[\w-]{43}/g) ?? [];
    expect([...new Set(found)].toSorted()).toEqual([
      'app_WdQyOPZlAq8V2cNf0ThuYxBmKj5E3rGs7LIi1okUXaM',
      'ops_4nHvSe9tR1bJcPzKqXw3yGuMfD7LiaQ0oTB5WmhEkVs',
      'opt_m2KsVxY8eDqLJ4hFzWg9uTRcNb0iXaP6oBQ1yHlvGtE',
    ]);
  });

  it('gives ranges and defaults of limits', () => {
    const limitOf = (id: 'listLeaderboards' | 'listBans'): unknown =>
      describedAs(id).parameters.find(({ name }) => name === 'limit')?.schema;
    expect(limitOf('listLeaderboards')).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 10 });
    expect(limitOf('listBans')).toEqual({ type: 'integer', minimum: 1, maximum: 200, default: 100 });
  });

  it('has nothing that Redocly finds fault with', async () => {
    const folder = dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json'));
    const linted = await run(process.execPath, [join(folder, 'bin', 'cli.js'), 'lint', 'docs/openapi.json'], {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    expect(linted.stdout + linted.stderr).toContain('Your API description is valid');
    expect(linted.stdout + linted.stderr).not.toMatch(/\d+ (error|warning)/);
  });
});
