import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { OperationId } from '../../src/api/operations.ts';
import { operations } from '../../src/api/operations.ts';
import { createOpenApiDocument } from '../../src/server/http/documentation/openapi/document.ts';
import type { JsonObject } from '../../src/server/http/documentation/openapi/schemas.ts';
import type { StepAnswer } from './walk.ts';

type Node = JsonObject | undefined;

const document = createOpenApiDocument();
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ ...closed(document), $id: 'openapi' });

/** The document leaves objects open for fields of later releases; this release sends no others than it lists. */
function closed(open: JsonObject): JsonObject {
  const { components } = open as { components: { schemas: Record<string, JsonObject> } };
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [
    name,
    { ...schema, additionalProperties: false },
  ]);
  return { ...open, components: { ...components, schemas: Object.fromEntries(schemas) } };
}

function at(pointer: string): Node {
  const parts = pointer.split('/').slice(1);
  const step = (node: unknown, part: string): unknown =>
    (node as JsonObject | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  return parts.reduce(step, document) as Node;
}

const escape = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');

/** With this, the state of the limits is sent only where the store counted the request. */
const maybeLimited: ReadonlySet<number> = new Set([503]);

/** What in an answer is not as the document says: its status, a header that is missing or other, its body. */
export function violationsOf(id: OperationId, { status, headers, body }: StepAnswer): string[] {
  const { path, method } = operations[id];
  const pointer = `/paths/${escape(path)}/${method.toLowerCase()}/responses/${status}`;
  const response = at(pointer);
  if (response === undefined) return [`${status} is not in the document`];
  const found: string[] = [];
  const check = (place: string, what: string, value: unknown): void => {
    const validate = ajv.getSchema(`openapi#${encodeURI(place)}`);
    if (validate === undefined) throw new Error(`expected a schema at ${place}`);
    if (validate(value) !== true) found.push(`${what}: ${ajv.errorsText(validate.errors)}`);
  };
  const listed = (response['headers'] ?? {}) as Record<string, JsonObject>;
  if (headers.has('RateLimit') && !('RateLimit' in listed) && !maybeLimited.has(status)) {
    found.push('header RateLimit is sent, and is not in the document');
  }
  for (const [name, header] of Object.entries(listed)) {
    const { $ref } = header as { $ref?: string };
    const place = $ref?.slice(1) ?? `${pointer}/headers/${escape(name)}`;
    const sent = headers.get(name);
    const isInteger = at(`${place}/schema`)?.['type'] === 'integer';
    if (sent === null) found.push(`header ${name} is missing`);
    else check(`${place}/schema`, `header ${name}`, isInteger ? Number(sent) : sent);
  }
  if (response['content'] === undefined) {
    if (body !== null) found.push('expected no body');
  } else {
    check(`${pointer}/content/${escape('application/json')}/schema`, 'body', body);
  }
  return found;
}
