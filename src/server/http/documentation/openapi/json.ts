/** A piece of the OpenAPI document. */
export interface JsonObject {
  [key: string]: unknown;
}

export function reference(section: string, name: string): JsonObject {
  return { $ref: `#/components/${section}/${name}` };
}

export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
