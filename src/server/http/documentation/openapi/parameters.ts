import { operations, type Operation, type OperationId } from '../../../../api/operations.ts';
import { reference, type JsonObject } from './json.ts';
import { objectSchema } from './schemas.ts';

export const exampleApplicationId = 'app_WdQyOPZlAq8V2cNf0ThuYxBmKj5E3rGs7LIi1okUXaM';

/** `components.parameters`: the parameters that are the same for every operation. */
export const parameterComponents: Readonly<Record<string, JsonObject>> = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of an earlier answer: the answer is 304 without a body while nothing has changed.',
    schema: { type: 'string' },
  },
};

/** Parameters of an operation; `conditional`: it takes `If-None-Match`. */
export function parametersOf(id: OperationId, conditional: boolean): JsonObject[] {
  const { params, query }: Operation = operations[id];
  return [
    ...described('path', params),
    ...described('query', query),
    ...(conditional ? [reference('parameters', 'IfNoneMatch')] : []),
  ];
}

function described(where: 'path' | 'query', schema: Operation['params'] | Operation['query']): JsonObject[] {
  const { properties, required } = objectSchema(schema);
  return Object.entries(properties).map(([name, { description, examples, ...rest }]) => ({
    name,
    in: where,
    required: where === 'path' || required.has(name),
    description,
    schema: rest,
    ...(Array.isArray(examples) ? { example: examples[0] as unknown } : {}),
  }));
}
