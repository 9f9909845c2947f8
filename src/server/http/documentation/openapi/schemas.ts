import { z } from 'zod';
import { errorBody, errorDetail } from '../../../../api/errors.ts';
import { operationIds, operations, type Operation, type OperationId } from '../../../../api/operations.ts';
import * as resource from '../../../../api/resources.ts';

export interface JsonObject {
  [key: string]: unknown;
}

export function reference(section: string, name: string): JsonObject {
  return { $ref: `#/components/${section}/${name}` };
}

export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The named schemas of the document: those of `resources.ts`, and the errors. */
const resourceSchemas: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(
    Object.entries(resource)
      .flatMap(([name, value]) => (value instanceof z.ZodType ? [[capitalised(name), value] as const] : []))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ),
  Error: errorBody,
  ErrorDetail: errorDetail,
};

const namesOfResources = new Map(Object.entries(resourceSchemas).map(([name, schema]) => [schema, name]));

function responseName(id: OperationId): string {
  const named = namesOfResources.get(operations[id].response);
  return named ?? `${capitalised(id)}Response`;
}

export function responseSchema(id: OperationId): JsonObject {
  return reference('schemas', responseName(id));
}

/** All of `components.schemas`: resources, errors and the answers that contain them. */
export function schemaComponents(): JsonObject {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(resourceSchemas)) registry.add(schema, { id: name });
  for (const id of operationIds) {
    const { response } = operations[id];
    if (!registry.has(response)) registry.add(response, { id: responseName(id) });
  }
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    override,
  });
  return {
    Credentials: jsonSchema(operations.register.body, 'input'),
    ...Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutIdentity(schema)])),
  };
}

/** The properties of an inline schema, and the names of the required ones. */
export function objectSchema(schema: Operation['params'] | Operation['query']): {
  properties: Record<string, JsonObject>;
  required: ReadonlySet<string>;
} {
  // Parameters with a default are optional on input, while ranges and defaults are those of the checked value.
  const given = jsonSchema(schema, 'input');
  const { properties = {} } = jsonSchema(schema, 'output');
  return {
    properties: properties as Record<string, JsonObject>,
    required: new Set(given['required'] as string[] | undefined),
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  return withoutIdentity(z.toJSONSchema(schema, { io, override }));
}

const override = ({ jsonSchema: schema }: { jsonSchema: JsonObject }): void => tidy(schema);

function withoutIdentity({ $schema: _schema, $id: _id, ...schema }: JsonObject): JsonObject {
  return schema;
}

const timestampPattern = String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`;

/**
 * Removes bounds that hold for every number in JSON, and writes "or null" as a list of types. Objects stay open, since
 * later releases may add fields: clients generated from a closed schema refuse the whole answer then.
 */
function tidy(schema: JsonObject): void {
  delete schema['additionalProperties'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['format'] === 'date-time') schema['pattern'] = timestampPattern;
  const [value, ...others] = (schema['anyOf'] ?? []) as JsonObject[];
  if (value === undefined || others.length !== 1 || others[0]?.['type'] !== 'null') return;
  if (typeof value['type'] !== 'string' || value['enum'] !== undefined) return;
  tidy(value);
  const { type, ...rest } = value;
  delete schema['anyOf'];
  Object.assign(schema, { type: [type, 'null'], ...rest, ...schema });
}
