import { suggestion } from './suggestion.ts';

/**
 * The message for an unknown key: which key was probably meant, or where the key belongs.
 * @param schema JSON Schema of the file
 */
export function unknownKey(schema: object, path: readonly PropertyKey[], key: string): string {
  if (/^(?:bot|discord)?_?token$/i.test(key)) {
    return 'unknown key: the token does not belong in this file. Put the line DISCORD_TOKEN=… into .env instead';
  }
  const here = keysAt(schema, path);
  const meant = suggestion(key, here);
  if (meant !== null) return `unknown key; did you mean ${JSON.stringify(meant)}?`;
  const home = homesOf(key, schema);
  if (home.length > 0) return `unknown key here; it belongs in ${home.join(' or ')}`;
  return `unknown key; expected one of ${here.join(', ')}`;
}

/** The part of a JSON Schema that is used here. */
interface Shape {
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
}

function branches(shape: Shape): Shape[] {
  return [shape, ...[...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].flatMap(branches)];
}

function keysAt(schema: Shape, path: readonly PropertyKey[]): string[] {
  let shapes = branches(schema);
  for (const part of path) {
    const next = shapes.map((shape) =>
      typeof part === 'number' ? shape.items : shape.properties?.[String(part)],
    );
    shapes = next.flatMap((shape) => (shape === undefined ? [] : branches(shape)));
  }
  return [...new Set(shapes.flatMap((shape) => Object.keys(shape.properties ?? {})))];
}

/** The places in which a key is allowed, such as `projects[].servers[]`; the root is "the top level". */
function homesOf(key: string, shape: Shape, at = ''): string[] {
  return [
    ...new Set(
      branches(shape).flatMap(({ properties = {}, items }) => [
        ...(Object.hasOwn(properties, key) ? [at === '' ? 'the top level' : at] : []),
        ...Object.entries(properties).flatMap(([name, inner]) =>
          homesOf(key, inner, at === '' ? name : `${at}.${name}`),
        ),
        ...(items === undefined ? [] : homesOf(key, items, `${at}[]`)),
      ]),
    ),
  ];
}
